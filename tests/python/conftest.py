# Copyright 2026 The hostnpu Authors
# SPDX-License-Identifier: Apache-2.0
"""What every Python test may ask for: the root of the tree, the build and the `hostnpu` command."""

import os
import pathlib
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent


# The package of this tree, not one that is installed.
sys.path.insert(0, str(ROOT / "python"))


def pytest_configure(config):
    config.addinivalue_line("markers", "smoke: quick, and worth running before each commit")


@pytest.fixture(scope="session")
def root():
    return ROOT


@pytest.fixture(scope="session")
def build():
    """The build folder under test: HOSTNPU_BUILD_DIR, or build/release."""
    return pathlib.Path(os.environ.get("HOSTNPU_BUILD_DIR", ROOT / "build" / "release"))


@pytest.fixture(scope="session")
def hostnpu(build):
    """The path of the built `hostnpu` command; the test is skipped where it is not built."""
    if os.environ.get("HOSTNPU_TEST_SANITIZE"):
        pytest.skip("a command with a sanitizer does not start where another run time of it is loaded first")
    command = build / "bin" / "hostnpu"
    if not command.exists():
        pytest.skip(f"{command} is not built")
    return command


@pytest.fixture(scope="session")
def tilelang():
    """hostnpu.tilelang; the test is skipped where the extension is not built."""
    pytest.importorskip("hostnpu._native", exc_type=ImportError)
    import hostnpu.tilelang

    return hostnpu.tilelang
