# Copyright 2026 The hostnpu Authors
# SPDX-License-Identifier: Apache-2.0
"""`hostnpu run script.py ...` comes here: the script runs as it is, with the stand-ins in place."""

from __future__ import annotations

import importlib.util
import os
import runpy
import sys


def main(arguments: list[str]) -> int:
    if not arguments:
        print("usage: python -m hostnpu.run script.py [arguments]", file=sys.stderr)
        return 2
    from . import standin

    standin.install()
    if arguments[0] == "-m":
        if len(arguments) < 2:
            print("usage: python -m hostnpu.run -m module [arguments]", file=sys.stderr)
            return 2
        sys.argv = arguments[1:]
        sys.path.insert(0, os.getcwd())
        if not _is_module(arguments[1]):
            print(f"hostnpu run: there is no module '{arguments[1]}'", file=sys.stderr)
            return 2
        runpy.run_module(arguments[1], run_name="__main__", alter_sys=True)
        return 0
    script = arguments[0]
    if not os.path.isfile(script):
        print(f"hostnpu run: there is no file '{script}'", file=sys.stderr)
        return 2
    sys.argv = arguments
    if sys.path and sys.path[0] in ("", os.getcwd()):
        del sys.path[0]  # where `python -m hostnpu.run` looks first; `python script.py` would not
    sys.path.insert(0, os.path.dirname(os.path.abspath(script)))
    _run_file(script)
    return 0


def _is_module(name: str) -> bool:
    try:
        return importlib.util.find_spec(name) is not None
    except (ImportError, ValueError):  # of a package that is not there; no name at all
        return False


def _run_file(script: str) -> None:
    """As `python script` does, with errors of a kernel function shown without our own frames."""
    from .tilelang.errors import HostnpuError, TileLangError

    try:
        runpy.run_path(script, run_name="__main__")
    except TileLangError as error:
        if not error.located:
            raise
        print(error, file=sys.stderr)
        sys.exit(1)
    except HostnpuError as error:
        print(error, file=sys.stderr)
        sys.exit(1)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
