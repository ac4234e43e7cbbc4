#!/usr/bin/env python3
# Copyright 2026 The hostnpu Authors
# SPDX-License-Identifier: Apache-2.0
"""Holds docs/coverage.csv against the kernel headers and the tests.

  done     the headers name it, and its test does, or a note says why not
  partly   the headers name it; the note says what is missing, and is true where it says "no test"
  not      the headers do not have it, or the note says that it faults

  tools/check_coverage.py [--root DIR]     exit 0 true, 1 some row is not
"""

import argparse
import csv
import pathlib
import re
import sys

STATES = ("done", "partly", "not")


def names(text):
    """The words of a text, and its operators as 'operator+'."""
    return set(re.findall(r"\w+", text)) | set(re.findall(r"operator[^\s\w(]+", text))


def wrong(row, headers, header_names, test_names):
    """What is not true of a row; None if all is."""
    name = row["name"].split("::")[-1]
    # Operators of tensors are made by a macro from the symbol alone.
    in_headers = name in header_names or name.startswith("operator")
    in_test = row["test"] != "" and (name in test_names(row["test"]) or name.startswith("operator"))
    if row["state"] not in STATES:
        return f"has the state '{row['state']}'"
    if row["state"] == "not":
        declared = re.search(rf"^ *(inline|HOSTNPU_INLINE|struct|class|#define) [^;{{(]*\b{re.escape(name)}\b", headers, re.M)
        return "is in the headers" if declared and "faults" not in row["note"] else None
    if not in_headers:
        return "is not in the headers"
    if row["state"] == "done" and not in_test and not row["note"]:
        return f"is not named by '{row['test']}'" if row["test"] else "has neither a test nor a note"
    if row["state"] == "partly" and not row["note"]:
        return "does not say what is missing"
    if row["note"].startswith("no test") and in_test:
        return f"has a test: '{row['test']}' names it"
    return None


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--root", type=pathlib.Path, default=pathlib.Path(__file__).resolve().parent.parent)
    root = parser.parse_args().root
    headers = "\n".join(header.read_text() for header in sorted((root / "include" / "ascendc").rglob("*.h")))
    header_names = names(headers)
    known = {}

    def test_names(test):
        if test not in known:
            path = root / test
            known[test] = names(path.read_text()) if path.is_file() else set()
        return known[test]

    rows = list(csv.DictReader((root / "docs" / "coverage.csv").open()))
    faults = [(row["name"], why) for row in rows if (why := wrong(row, headers, header_names, test_names))]
    for name, why in faults:
        print(f"docs/coverage.csv: {name} {why}")
    print(f"check_coverage: {len(rows)} names, {len(faults)} not as the page says")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
