# Copyright 2026 The hostnpu Authors
# SPDX-License-Identifier: Apache-2.0
"""@T.prim_func and @T.macro."""

from __future__ import annotations

import sys

from . import parser
from .errors import TileLangError


class PrimFunc:
    """A kernel function that has been read: its IR and its parameters."""

    def __init__(self, code, module):
        self.code = code
        self.module = module
        self.params = module.params()
        self.attrs = {"global_symbol": module.name}
        self.__name__ = module.name
        self.__doc__ = code.func.__doc__

    def script(self) -> str:
        """The IR as text."""
        return self.module.text()

    def with_attr(self, key, value=None):
        entries = key if isinstance(key, dict) else {key: value}
        copy = PrimFunc(self.code, self.module)
        copy.attrs = {**self.attrs, **entries}
        return copy

    def __repr__(self):
        return f"<PrimFunc {self.module.name}({', '.join(row['name'] for row in self.params)})>"


def prim_func(func=None, **options):
    """Reads a kernel function into IR."""
    if func is None:
        return lambda function: _read(function, sys._getframe(1))
    return _read(func, sys._getframe(1))


def _read(func, frame):
    try:
        code = parser.Code(func, frame)
        return PrimFunc(code, parser.read_kernel(code))
    except TileLangError as error:
        # Our own frames say nothing to the author; the message has the place.
        raise error.with_traceback(None) from error.__cause__


class Macro:
    """A piece of kernel that is written into the caller."""

    def __init__(self, code):
        self.code = code
        self.__name__ = code.name
        self.__doc__ = code.func.__doc__

    def __call__(self, *args, **kwargs):
        parser.inline_macro(self.code, args, kwargs)

    def __repr__(self):
        return f"<macro {self.code.name}>"


def macro(func=None, *, hygienic=True):
    if func is None:
        return lambda function: Macro(parser.Code(function, sys._getframe(1)))
    return Macro(parser.Code(func, sys._getframe(1)))
