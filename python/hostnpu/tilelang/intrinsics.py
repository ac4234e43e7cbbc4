# Copyright 2026 The hostnpu Authors
# SPDX-License-Identifier: Apache-2.0
"""Layouts for T.annotate_layout."""

from __future__ import annotations


class Layout:
    def __init__(self, name, buffer=None):
        self.name = name
        self.buffer = buffer

    def __repr__(self):
        return f"Layout({self.name})"


def make_zn_layout(buffer, *args, **kwargs):
    return Layout("zn", buffer)


def make_nz_layout(buffer, *args, **kwargs):
    return Layout("nz", buffer)


def make_col_major_layout(buffer, *args, **kwargs):
    return Layout("column_major", buffer)
