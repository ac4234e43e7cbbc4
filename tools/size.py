#!/usr/bin/env python3
# Copyright 2026 The hostnpu Authors
# SPDX-License-Identifier: Apache-2.0
"""Keeps the files small, and prints the figures that show it.

Fails on a file over 800 lines or a TODO without an issue number. Prints median, 90th percentile and
largest file, functions over 60 lines, and how many test lines stand to a line of source.

  tools/size.py [--root DIR] [--list]      --list names every file over the soft limit of 400 lines
"""

import argparse
import pathlib
import re
import subprocess
import sys

SOFT_LINES = 400
HARD_LINES = 800
FUNCTION_LINES = 60
SUFFIXES = {".h", ".cc", ".cpp", ".asc", ".py", ".sh", ".cmake"}
# Generated files and plain tables, exempt by name, each with its reason.
EXEMPT = {}
SKIPPED_FOLDERS = {"third_party", "build", ".venv", ".git"}
UNOWNED_TODO = re.compile(r"\b(TODO|FIXME|XXX)\b(?!\(#\d+\))")
CPP_FUNCTION = re.compile(r"^( *)(?!namespace|class|struct|enum|union|extern|if|for|while|switch|else|do|#|//)\S.*\{$")


def tree_files(root):
    """The files of the tree that count, relative to the root; without git, everything but build output."""
    listed = subprocess.run(["git", "ls-files", "--cached", "--others", "--exclude-standard"],
                            cwd=root, capture_output=True, text=True)
    inside = listed.returncode == 0 and (root / ".git").exists()
    names = listed.stdout.splitlines() if inside else [
        p.relative_to(root).as_posix() for p in root.rglob("*") if p.is_file()]
    paths = [pathlib.PurePosixPath(n) for n in names]
    return sorted({p for p in paths if p.suffix in SUFFIXES and not SKIPPED_FOLDERS & set(p.parts)
                   and (root / p).is_file()})


def is_test(path):
    return path.parts[0] == "tests" or path.stem.endswith("_test")


def long_functions(path, lines):
    """Yields (line, length) of each function over the limit, going by the indentation of its braces."""
    if path.suffix not in {".h", ".cc", ".cpp"}:
        return
    opened = None
    for number, line in enumerate(lines, 1):
        if opened is None:
            match = CPP_FUNCTION.match(line)
            if match and ("(" in line or (number > 1 and "(" in lines[number - 2])) and not line.strip().startswith("}"):
                # Wrapped parameters and initialisers stand deeper than the brace that closes the body.
                first = number
                while first > 1 and lines[first - 1].startswith("    "):
                    first -= 1
                indent = len(lines[first - 1]) - len(lines[first - 1].lstrip())
                opened = (first, " " * indent + "}")
        elif line.startswith(opened[1]):
            if number - opened[0] + 1 > FUNCTION_LINES:
                yield opened[0], number - opened[0] + 1
            opened = None


def percentile(values, share):
    return sorted(values)[min(len(values) - 1, int(len(values) * share))] if values else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--root", type=pathlib.Path, default=pathlib.Path(__file__).resolve().parent.parent)
    parser.add_argument("--list", action="store_true")
    options = parser.parse_args()
    root = options.root.resolve()

    sizes, functions, complaints = {}, [], []
    for path in tree_files(root):
        lines = (root / path).read_text(errors="replace").splitlines()
        if path.as_posix() in EXEMPT:
            continue
        sizes[path] = len(lines)
        if len(lines) > HARD_LINES:
            complaints.append(f"{path}: {len(lines)} lines; the limit is {HARD_LINES}. Split it, or name it in "
                              "EXEMPT of tools/size.py if it is a generated file or a plain table")
        for number, line in enumerate(lines, 1):
            if UNOWNED_TODO.search(line) and path.as_posix() != "tools/size.py" and not is_test(path):
                complaints.append(f"{path}:{number}: a TODO without an issue number; write TODO(#12): ...")
        if not is_test(path):
            functions += [(length, f"{path}:{at}") for at, length in long_functions(path, lines)]

    source = [n for p, n in sizes.items() if not is_test(p)]
    tests = [n for p, n in sizes.items() if is_test(p)]
    for sentence in complaints:
        print(sentence)
    for length, where in sorted(functions, reverse=True)[:None if options.list else 5]:
        print(f"note: {where}: a function of {length} lines; aim at {FUNCTION_LINES}")
    if options.list:
        for path, count in sorted(sizes.items(), key=lambda item: -item[1]):
            if count > SOFT_LINES:
                print(f"note: {path}: {count} lines; aim at {SOFT_LINES}")
    largest = max(sizes.items(), key=lambda item: item[1], default=("none", 0))
    print(f"size: {len(sizes)} files, {sum(sizes.values())} lines; median {percentile(sizes.values(), 0.5)}, "
          f"p90 {percentile(sizes.values(), 0.9)}, largest {largest[1]} ({largest[0]}); "
          f"{len(functions)} functions over {FUNCTION_LINES} lines; "
          f"test/source {sum(tests) / max(1, sum(source)):.2f}; {len(complaints)} over the limits")
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main())
