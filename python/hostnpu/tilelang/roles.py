# Copyright 2026 The hostnpu Authors
# SPDX-License-Identifier: Apache-2.0
"""Which parameter is an input, an output or a workspace, from out_idx and workspace_idx."""

from __future__ import annotations

import operator
from collections.abc import Mapping

from .. import _native
from .errors import error_class
from .language import workspace_contents


def _fail(message, help="", builtin=ValueError):
    raise error_class(builtin)(message if not help else f"{message}\nhelp: {help}", (), help)


def _is_index(value) -> bool:
    """Whether it is an integer of Python or numpy; True and False are none."""
    return hasattr(value, "__index__") and not isinstance(value, bool)


def _indices(given, what: str, params, kernel: str) -> list[int]:
    """The list as indices from 0, in the order given."""
    if given is None:
        return []
    items = [given] if _is_index(given) else given
    if not isinstance(items, (list, tuple, range)):
        _fail(f"{what} is an integer or a list of integers, but {given!r} is given", builtin=TypeError)
    count = len(params)
    seen: dict[int, int] = {}
    for item in items:
        if not _is_index(item):
            _fail(f"{what} holds integers, but {item!r} is given", builtin=TypeError)
        item = operator.index(item)
        if not -count <= item < count:
            _fail(
                f"{what} holds {item}, but kernel '{kernel}' has {count} parameters: 0 to {count - 1}, or "
                f"-{count} to -1"
            )
        index = item + count if item < 0 else item
        name = params[index]["name"]
        if index in seen:
            _fail(f"{what} names parameter {index} '{name}' twice ({seen[index]} and {item})")
        if not params[index]["is_tensor"]:
            _fail(f"{what} names parameter {index} '{name}', which is a scalar")
        seen[index] = item
    return list(seen)


class Roles:
    """Roles by parameter, output indices in the caller's order, contents of workspaces."""

    def __init__(self, params, kernel: str, out_idx, workspace_idx, workspace_init):
        self.params = params
        self.kernel = kernel
        self.outputs = _indices(out_idx, "out_idx", params, kernel)
        self.found = []
        if isinstance(workspace_idx, str):
            if workspace_idx != "auto":
                _fail(f"workspace_idx is a list, an integer or 'auto', but {workspace_idx!r} is given")
            self.found = [
                index
                for index, row in enumerate(params)
                if row["is_tensor"] and row["written"] and row["read"] and index not in self.outputs
            ]
            self.workspaces = list(self.found)
        else:
            self.workspaces = _indices(workspace_idx, "workspace_idx", params, kernel)
        for index in self.workspaces:
            if index in self.outputs:
                _fail(f"parameter {index} '{params[index]['name']}' is in out_idx and in workspace_idx")
        self.check_outputs()
        self.contents = self.read_contents(workspace_init)

    def check_outputs(self) -> None:
        for index in self.outputs:
            row = self.params[index]
            if row["written"]:
                continue
            state = "is read before any write" if row["read"] else "is never written"
            inputs = [
                f"'{other['name']}'"
                for at, other in enumerate(self.params)
                if other["written"] and at not in self.outputs and at not in self.workspaces
            ]
            written = f"; {', '.join(inputs)} {'is' if len(inputs) == 1 else 'are'} an input but written" if inputs else ""
            right = [
                str(at)
                for at, other in enumerate(self.params)
                if other["written"] and not other["read"] and at not in self.workspaces
            ]
            help_text = f"out_idx=[{', '.join(right)}] names the parameters that the kernel writes and does not read" if right else ""
            _fail(
                f"parameter {index} '{row['name']}' of kernel '{self.kernel}' is declared output but {state}{written}",
                help_text,
            )

    def names(self) -> list[str]:
        return [
            "output" if index in self.outputs else "workspace" if index in self.workspaces else "input"
            for index in range(len(self.params))
        ]

    def read_contents(self, workspace_init) -> list[tuple[str, float]]:
        contents = [("undefined", 0.0)] * len(self.params)
        if workspace_init is None:
            return contents
        if not isinstance(workspace_init, Mapping):
            _fail(
                f"workspace_init is a dict from a workspace to its contents, but {workspace_init!r} is given",
                'workspace_init={4: "zero"}, or with the name of the parameter',
                builtin=TypeError,
            )
        seen = {}
        for key, value in workspace_init.items():
            index = self.workspace_of(key)
            row = self.params[index]
            if index in seen:
                _fail(f"workspace_init names parameter {index} '{row['name']}' twice ({seen[index]!r} and {key!r})")
            seen[index] = key
            contents[index] = workspace_contents(value, f"workspace_init of '{row['name']}'", row["dtype"])
        return contents

    def workspace_of(self, key) -> int:
        if isinstance(key, str):
            found = [index for index, row in enumerate(self.params) if row["name"] == key]
            if not found:
                _fail(f"workspace_init names '{key}', which is no parameter of kernel '{self.kernel}'")
            index = found[0]
        else:
            (index,) = _indices([key], "workspace_init", self.params, self.kernel)
        if index not in self.workspaces:
            _fail(f"workspace_init names parameter {index} '{self.params[index]['name']}', which is no workspace")
        return index
