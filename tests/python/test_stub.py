# Copyright 2026 The hostnpu Authors
# SPDX-License-Identifier: Apache-2.0
"""python/hostnpu/_native.pyi is what nanobind's stub generator makes of the built extension."""

import subprocess
import sys

import pytest

pytest.importorskip("hostnpu._native", exc_type=ImportError)
pytest.importorskip("nanobind")


def test_the_stub_in_the_tree_is_the_one_the_generator_makes(root, tmp_path):
    made = tmp_path / "_native.pyi"
    command = [sys.executable, "-m", "nanobind.stubgen", "-m", "hostnpu._native", "-i", root / "python", "-o", made]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    kept = (root / "python" / "hostnpu" / "_native.pyi").read_text()
    assert made.read_text() == kept, f"the binding has changed; make the stub anew: {' '.join(map(str, command))}"
