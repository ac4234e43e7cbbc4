# Copyright 2026 The hostnpu Authors
# SPDX-License-Identifier: Apache-2.0
"""The text of a kernel function, as an AST whose lines and columns are those of the user's file."""

from __future__ import annotations

import ast
import inspect
import linecache

from .errors import error_class


class Source:
    """One function's file and AST."""

    def __init__(self, path: str, lines: list[str], tree: ast.FunctionDef):
        self.path = path
        self.lines = lines
        self.tree = tree


def read_source(func) -> Source:
    code = func.__code__
    path = code.co_filename
    lines = linecache.getlines(path, func.__globals__)
    if not lines:
        raise error_class(ValueError)(
            f"the source text of '{func.__name__}' is not available ({path}): a kernel function is read, "
            "so it must stand in a file or a notebook cell"
        )
    first = code.co_firstlineno
    block = inspect.getblock(lines[first - 1 :])
    text = "".join(block)
    # An indented function is put below an `if`, which keeps its columns.
    indented = text[:1] in (" ", "\t")
    tree = ast.parse("if 1:\n" + text if indented else text, filename=path)
    function = tree.body[0].body[0] if indented else tree.body[0]
    if not isinstance(function, ast.FunctionDef):
        raise error_class(TypeError)(f"'{func.__name__}' is not a plain function")
    ast.increment_lineno(function, first - (2 if indented else 1))
    return Source(path, [line.rstrip("\n") for line in lines], function)
