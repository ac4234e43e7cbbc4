# Copyright 2026 The hostnpu Authors
# SPDX-License-Identifier: Apache-2.0
"""The command `hostnpu` of an installed package: the program beside us, with this interpreter for scripts."""

from __future__ import annotations

import os
import sys


def main() -> int:
    program = os.path.join(os.path.dirname(__file__), "bin", "hostnpu")
    if not os.path.isfile(program):
        print(f"hostnpu: the program is not installed ({program})", file=sys.stderr)
        return 3
    os.environ.setdefault("HOSTNPU_PYTHON", sys.executable)
    os.execv(program, [program, *sys.argv[1:]])
    return 3
