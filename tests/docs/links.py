#!/usr/bin/env python3
# Copyright 2026 The hostnpu Authors
# SPDX-License-Identifier: Apache-2.0
"""Fails when a Markdown page of the tree names a file that is not there.

Looked at: relative links `[text](path)`, and paths in back-ticks that begin with a top folder of the
tree (`src/engine/launch.h`), the form in which ARCHITECTURE.md points at the code.

  links.py [--root DIR]
"""

import argparse
import pathlib
import re
import sys

LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")
PATH = re.compile(r"`((?:src|include|python|tests|tools|cmake|docs|examples|benchmarks|changelog)/[A-Za-z0-9_./-]+)`")
WRITTEN_LATER = "benchmarks/out/"  # by make bench
SKIPPED = {"build", ".venv", "third_party", ".git"}


def broken_names(root, page):
    """Yields (line number, name) of each file that a page names and that does not exist."""
    fenced = False
    for number, line in enumerate(page.read_text().splitlines(), 1):
        if line.strip().startswith("```"):
            fenced = not fenced
        if fenced:
            continue
        for match in LINK.finditer(line):
            target = match.group(1).split("#", 1)[0]
            if target and "://" not in target and not target.startswith("mailto:") and not (page.parent / target).exists():
                yield number, match.group(1)
        for match in PATH.finditer(line):
            if not match.group(1).startswith(WRITTEN_LATER) and not (root / match.group(1)).exists():
                yield number, match.group(1)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--root", type=pathlib.Path, default=pathlib.Path(__file__).resolve().parent.parent.parent)
    root = parser.parse_args().root.resolve()
    broken = 0
    pages = [p for p in sorted(root.rglob("*.md")) if not SKIPPED & set(p.relative_to(root).parts)]
    for page in pages:
        for number, name in broken_names(root, page):
            print(f"{page.relative_to(root)}:{number}: '{name}' is not there")
            broken += 1
    print(f"links: {broken} broken" if broken else f"links: {len(pages)} pages, none broken")
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
