#!/usr/bin/env python3
# Copyright 2026 The hostnpu Authors
# SPDX-License-Identifier: Apache-2.0
"""Compiles each header alone, so that none leans on what its includer happened to include before.

Each header is included twice in an otherwise empty file, with warnings as errors: a missing include
and a missing include guard both fail. Headers that only include others (the vendor's many names for
kernel_operator.h) lean on nothing by nature; they are compiled together. What is compiled how:

  src/**/*.h           C++20, no exceptions, no RTTI, as the library is
  include/hostnpu      C++20, as a user's host program
  include/acl          C++20, and once more as C11
  include/ascendc      C++17, as a kernel source; include/tilelang too

  tools/check_headers.py [--root DIR] [--jobs N] [HEADER or FOLDER...]     exit 0 clean, 1 some header fails
"""

import argparse
import concurrent.futures
import os
import pathlib
import re
import shutil
import subprocess
import sys

WARNINGS = ["-Wall", "-Wextra", "-Werror"]
SHOWN_LINES = 20  # of the compiler's complaint about one header
# Fragments: included in the middle of another file by design, and named here, each with its reason.
NOT_ALONE = {}


def language_runs(relative):
    """The compiler arguments for each way in which a header has to compile; empty if it need not."""
    parts = relative.parts
    if relative.as_posix() in NOT_ALONE:
        return []
    if parts[0] == "src" or parts[:2] == ("python", "bindings"):
        return [["-x", "c++", "-std=c++20", "-fno-exceptions", "-fno-rtti", "-Isrc", "-Iinclude"]]
    if parts[:2] == ("include", "acl"):
        return [["-x", "c++", "-std=c++20", "-Iinclude"], ["-x", "c", "-std=c11", "-Iinclude"]]
    if parts[:2] in (("include", "ascendc"), ("include", "tilelang")):
        # The include path of a kernel: the root is on it as well, as users write both forms.
        return [["-x", "c++", "-std=c++17", "-Iinclude/ascendc", "-Iinclude"]]
    return [["-x", "c++", "-std=c++20", "-Iinclude"]]


def only_includes(text):
    """Whether a header has nothing of its own: comments, #include lines and an include guard."""
    text = re.sub(r"/\*.*?\*/|//[^\n]*", "", text, flags=re.S)
    own = re.compile(r"\s*(#\s*(include\b.*|pragma once|(ifndef|define) \w+_H_?|endif))?\s*")
    return all(own.fullmatch(line) for line in text.splitlines())


def groups_of(root, headers):
    """Returns [(headers to compile in one file, compiler arguments)]."""
    groups, forwarders = [], {}
    for header in headers:
        for run in language_runs(header):
            if only_includes((root / header).read_text(errors="replace")):
                forwarders.setdefault(tuple(run), []).append(header)
            else:
                groups.append(([header], run))
    return groups + [(names, list(run)) for run, names in forwarders.items()]


def compile_alone(compiler, root, group, arguments):
    """Returns the compiler's complaint, or an empty string."""
    text = "".join(f'#include "{header.as_posix()}"\n' for header in group) * 2
    command = [compiler, "-fsyntax-only", "-I.", *WARNINGS, *arguments, "-"]
    done = subprocess.run(command, cwd=root, input=text, capture_output=True, text=True)
    lines = done.stderr.splitlines()
    rest = [f"... {len(lines) - SHOWN_LINES} lines more"] if len(lines) > SHOWN_LINES else []
    return "\n".join(lines[:SHOWN_LINES] + rest) if done.returncode else ""


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--root", type=pathlib.Path, default=pathlib.Path(__file__).resolve().parent.parent)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--compiler", default=os.environ.get("CXX", "clang++-19"))
    parser.add_argument("headers", nargs="*", type=pathlib.Path)
    options = parser.parse_args()
    if not shutil.which(options.compiler):
        print(f"check_headers: there is no compiler '{options.compiler}'; run: make setup", file=sys.stderr)
        return 2
    root = options.root.resolve()
    named = [h if not h.is_absolute() else h.relative_to(root) for h in options.headers]
    missing = [h for h in named if not (root / h).exists()]
    if missing:
        print(f"check_headers: no such header: {missing[0]}", file=sys.stderr)
        return 2
    headers = []
    for name in named or [pathlib.Path("src"), pathlib.Path("include")]:
        below = sorted(p.relative_to(root) for p in (root / name).rglob("*.h"))
        headers += [name] if (root / name).is_file() else below
    work = groups_of(root, headers)
    failed = set()
    with concurrent.futures.ThreadPoolExecutor(max(1, options.jobs)) as pool:
        complaints = pool.map(lambda job: compile_alone(options.compiler, root, *job), work)
        for (group, run), complaint in zip(work, complaints):
            if complaint:
                failed.update(group)
                names = f"one of {len(group)} headers that only include others" if len(group) > 1 else group[0]
                print(f"{names}: does not compile alone ({' '.join(run[:3])})\n{complaint}")
    print(f"check_headers: {len(failed)} of {len(headers)} headers do not compile alone" if failed
          else f"check_headers: {len(headers)} headers compile alone")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
