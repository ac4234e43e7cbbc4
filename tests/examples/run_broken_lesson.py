# Copyright 2026 The hostnpu Authors
# SPDX-License-Identifier: Apache-2.0
"""Runs a lesson that is broken on purpose, and compares its report with the first text block of its README.

  run_broken_lesson.py HOSTNPU LESSON.asc      exit 0 when the program fails with exactly that report
"""

import pathlib
import re
import subprocess
import sys


def main():
    hostnpu, lesson = sys.argv[1], pathlib.Path(sys.argv[2])
    page = (lesson.parent / "README.md").read_text()
    shown = re.search(r"^```text\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    if shown is None:
        print(f"{lesson.parent}/README.md shows no report (a ```text block)")
        return 1
    run = subprocess.run([hostnpu, "run", lesson.name], cwd=lesson.parent, text=True, check=False,
                         stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    if run.returncode == 1 and run.stdout == shown.group(1):
        return 0
    print(f"exit code {run.returncode}\n--- the page shows\n{shown.group(1)}--- printed\n{run.stdout}", end="")
    return 1


sys.exit(main())
