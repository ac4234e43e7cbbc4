# Copyright 2026 The hostnpu Authors
# SPDX-License-Identifier: Apache-2.0
"""The kernel that is being read, per thread: what `T.copy` and the others build into."""

from __future__ import annotations

import threading

from .errors import error_class


class _State(threading.local):
    def __init__(self):
        self.parsers = []


_state = _State()


def push(parser) -> None:
    _state.parsers.append(parser)


def pop() -> None:
    _state.parsers.pop()


def parser_or_none():
    return _state.parsers[-1] if _state.parsers else None


def parser(what: str):
    """The parser at work, or an error that names the operation used outside a kernel."""
    if not _state.parsers:
        raise error_class(ValueError)(f"{what} is used outside a kernel function (@T.prim_func)")
    return _state.parsers[-1]


def builder(what: str):
    return parser(what).builder
