# Copyright 2026 The hostnpu Authors
# SPDX-License-Identifier: Apache-2.0
"""Runs one program of this folder with the hostnpu command and compares with what its head states."""

import re
import subprocess
import sys


def stated(source, key):
    return re.findall(rf"^// {key}: ?(.*)$", source, re.MULTILINE)


def main():
    command, path = sys.argv[1:]
    with open(path, encoding="utf-8") as file:
        source = file.read()
    flags = " ".join(stated(source, "flags")).split()
    done = subprocess.run([command, "run", path, *flags], capture_output=True, text=True, timeout=170)
    complaints = []
    status = int((stated(source, "status") or ["0"])[0])
    if done.returncode != status:
        complaints.append(f"the exit status is {done.returncode}, not {status}")
    for name, text in (("stdout", done.stdout), ("stderr", done.stderr)):
        for wanted in stated(source, name):
            if wanted not in text:
                complaints.append(f"{name} lacks: {wanted}")
    if not stated(source, "stderr") and done.stderr:
        complaints.append("stderr is not empty")
    for complaint in complaints:
        print(complaint)
    if complaints:
        print(f"--- stdout\n{done.stdout}--- stderr\n{done.stderr}")
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main())
