# Copyright 2026 The hostnpu Authors
# SPDX-License-Identifier: Apache-2.0
"""`hostnpu ir script.py --after PASS`: runs the script and prints the IR of each kernel it builds.

The IR goes to standard output and what the script prints to standard error, so that the one can be kept.
"""

from __future__ import annotations

import os
import sys

from . import _native, run
from .tilelang import kernel

USAGE = "usage: python -m hostnpu.ir [--after PASS] script.py [arguments]"


def main(arguments: list[str]) -> int:
    passes = _native.pass_names()
    after = passes[-1]
    if arguments[:1] == ["--after"] and len(arguments) > 1:
        after = arguments[1]
        arguments = arguments[2:]
    if not arguments:
        print(USAGE, file=sys.stderr)
        return 2
    if after not in passes:
        print(f"hostnpu: error: there is no pass '{after}'; the passes are {', '.join(passes)}", file=sys.stderr)
        return 2
    out = os.fdopen(os.dup(1), "w")
    sys.stdout.flush()
    os.dup2(2, 1)

    def show(module):
        for name, text, changed in _native.trace(module):
            if name == after:
                print(f"# kernel {module.name} after {name}{'' if changed else ' (which changed nothing)'}", file=out)
                print(text, file=out, flush=True)

    kernel.before_lowering = show
    return run.main(arguments)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
