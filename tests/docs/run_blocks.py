#!/usr/bin/env python3
# Copyright 2026 The hostnpu Authors
# SPDX-License-Identifier: Apache-2.0
"""Runs the code blocks of a Markdown page, so that what the page shows works.

The blocks of one page run in order, in one scratch folder, with the built `hostnpu` on PATH. What is
done with a block stands in the line that opens it, where readers do not see it:

  ```sh                 run by bash; every command has to succeed
  ```cpp                compiled as a host program against libhostnpu, and run
  ```python             run by Python with the hostnpu package on its path
  ```asc                needs file=
  ... file=NAME         written to the scratch folder under that name, and not run
  ... skip=REASON       shown only; the reason is one word (whole-build, installs, fragment)

Other languages (text, cmake, yaml, ...) are not run, but file= works with every language.

  run_blocks.py --build DIR PAGE...      exit 0 when every block did what it should
"""

import argparse
import os
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
FENCE = re.compile(r"^```(\S*)[ \t]*(.*)$")
RUN_LANGUAGES = {"sh", "cpp", "python", "asc"}
WORDS = {"file", "skip"}


class PageError(Exception):
    """The page itself is wrong: a fence without end, an unknown word, a block without a way to run."""


def blocks_of(page, text):
    """Yields (line number, language, {word: value}, body) of each fenced block."""
    opened, body = None, []
    for number, line in enumerate(text.splitlines(), 1):
        match = FENCE.match(line.strip())
        if opened is None and match:
            words = dict(w.partition("=")[::2] for w in match.group(2).split())
            unknown = set(words) - WORDS
            if unknown:
                raise PageError(f"{page}:{number}: unknown word '{sorted(unknown)[0]}' (known: file=, skip=)")
            opened, body = (number, match.group(1), words), []
        elif opened is not None and line.strip() == "```":
            yield *opened, "\n".join(body) + "\n"
            opened = None
        else:
            body.append(line)
    if opened is not None:
        raise PageError(f"{page}:{opened[0]}: this block has no end")


def environment(build):
    extended = dict(os.environ)
    extended["PATH"] = f"{build / 'bin'}{os.pathsep}{extended['PATH']}"
    extended["PYTHONPATH"] = os.pathsep.join([str(ROOT / "python"), str(build / "python")])
    extended["HOSTNPU_ROOT"] = str(ROOT)
    return extended


def commands_for(language, path, build):
    """The commands that run a block that has been written to `path`."""
    if language == "sh":
        return [["bash", "-euo", "pipefail", path]]
    if language == "python":
        return [[sys.executable, path]]
    program = path.with_suffix("")
    library = build / "lib"
    return [["clang++-19", "-std=c++20", "-Wall", "-Wextra", "-Werror", f"-I{ROOT / 'include'}", path, "-o", program,
             f"-L{library}", "-lhostnpu", f"-Wl,-rpath,{library}"], [program]]


def run_page(page, build, scratch):
    """Runs every block of a page. Returns the number of blocks that failed."""
    failed = 0
    for number, language, words, body in blocks_of(page, page.read_text()):
        if "skip" in words:
            continue
        if "file" in words:
            target = scratch / words["file"]
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(body)
            continue
        if language not in RUN_LANGUAGES:
            continue
        if language == "asc":
            raise PageError(f"{page}:{number}: an asc block needs file=NAME or skip=REASON")
        suffix = {"sh": ".sh", "cpp": ".cc", "python": ".py"}[language]
        path = scratch / f"block_{number}{suffix}"
        path.write_text(body)
        for command in commands_for(language, path, build):
            done = subprocess.run(command, cwd=scratch, env=environment(build), stdin=subprocess.DEVNULL,
                                  capture_output=True, text=True, timeout=240)
            if done.returncode != 0:
                failed += 1
                print(f"{page}:{number}: this {language} block failed (exit {done.returncode})\n"
                      f"{done.stdout}{done.stderr}")
                break
        else:
            print(f"{page}:{number}: {language} ok")
    return failed


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", type=pathlib.Path, required=True)
    parser.add_argument("pages", nargs="+", type=pathlib.Path)
    options = parser.parse_args()
    failed = 0
    for page in options.pages:
        with tempfile.TemporaryDirectory() as scratch:
            try:
                failed += run_page(page, options.build.resolve(), pathlib.Path(scratch))
            except PageError as error:
                print(error)
                failed += 1
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
