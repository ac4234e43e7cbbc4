# Copyright 2026 The hostnpu Authors
# SPDX-License-Identifier: Apache-2.0
"""Ascend NPU operators on a CPU host, with workspaces that manage themselves."""

__version__ = "0.1.0"
