# Copyright 2026 The hostnpu Authors
# SPDX-License-Identifier: Apache-2.0
"""Errors of the TileLang front end.

Every error is a TileLangError; it is also the built-in exception that the reference raises in the same
place (ValueError, AssertionError, ...), because programs catch those.
"""

from __future__ import annotations

_BUILTIN = {
    "assertion": AssertionError,
    "value": ValueError,
    "type": TypeError,
    "unsupported": NotImplementedError,
    "syntax": ValueError,
    "internal": RuntimeError,
}


class HostnpuError(RuntimeError):
    """What the runtime reports: a fault of a kernel, memory that is not there."""


class KernelError(HostnpuError):
    """A core did something illegal, or can never go on."""


class WorkspaceError(HostnpuError):
    """A workspace is not what was declared."""


class TileLangError(Exception):
    """What is wrong with a TileLang program, and where.

    `message` is the sentence alone; `str(error)` has the place, the line and a caret once the parser
    knows them.
    """

    def __init__(self, message: str, notes=(), help: str = "", text: str | None = None):
        super().__init__(text if text is not None else message)
        self.message = message
        self.notes = list(notes)
        self.help = help
        self.located = text is not None


_classes: dict[type, type] = {}


def error_class(builtin: type) -> type:
    """TileLangError that is also `builtin`."""
    if issubclass(builtin, TileLangError):
        return builtin
    if builtin is SyntaxError or builtin is KeyError or not issubclass(builtin, Exception):
        builtin = ValueError  # those two print their text in a way of their own
    if builtin not in _classes:
        try:
            _classes[builtin] = type("TileLang" + builtin.__name__, (TileLangError, builtin), {})
        except TypeError:  # a layout that does not combine, such as UnicodeDecodeError
            _classes[builtin] = TileLangError
    return _classes[builtin]


def raise_diagnostic(kind: str, message: str, notes=(), help: str = ""):
    """Called by the C++ side."""
    if kind in _OWN:
        raise _OWN[kind](message)
    raise error_class(_BUILTIN[kind])(message, notes, help)


class CompileError(TileLangError, RuntimeError):
    """A kernel that the passes or the compiler refuse."""


_OWN = {"kernel": KernelError, "workspace": WorkspaceError, "compile": CompileError}
