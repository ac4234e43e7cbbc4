# Copyright 2026 The hostnpu Authors
# SPDX-License-Identifier: Apache-2.0
"""Compiles one program and compares what the command prints with `<name>.expect`, byte for byte.

A first line `// run: ARGUMENTS` replaces the arguments `build -shared -o OUT FILE`. The name of the
cache entry depends on the machine, so that it is read as ENTRY. The cache is the one of all tests, for
its precompiled headers; a macro that nobody asks for makes each program a new one.

  check.py HOSTNPU CASE [--update]
"""

import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time


def main():
    hostnpu, case, *options = sys.argv[1:]
    case = pathlib.Path(case)
    expected_file = case.with_suffix(".expect")
    with tempfile.TemporaryDirectory() as scratch:
        arguments = ["build", "-shared", "-o", f"{scratch}/out", case.name]
        first = case.read_text().split("\n", 1)[0]
        if first.startswith("// run: "):
            arguments = first[len("// run: "):].replace("OUT", f"{scratch}/out").split()
        arguments.insert(1, f"-DCHECKED_AT={time.time_ns()}")
        cache = os.environ.get("HOSTNPU_CACHE_DIR", f"{scratch}/cache")
        environment = dict(os.environ, HOSTNPU_CACHE_DIR=cache, HOME=scratch)
        run = subprocess.run([hostnpu, *arguments], cwd=case.parent, env=environment, text=True,
                             stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    folder = re.escape(cache.replace(scratch, "~"))
    printed = re.sub(folder + "/[0-9a-f]{16}/", "ENTRY/", run.stdout)
    if "--update" in options:
        expected_file.write_text(printed) if printed else expected_file.unlink(missing_ok=True)
        return 0
    expected = expected_file.read_text() if expected_file.exists() else ""
    fails = "error: " in expected
    if printed == expected and run.returncode == (2 if fails else 0) and "internal error" not in printed:
        return 0
    print(f"exit code {run.returncode}\n--- expected\n{expected}--- printed\n{printed}", end="")
    return 1


sys.exit(main())
