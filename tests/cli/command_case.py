# Copyright 2026 The hostnpu Authors
# SPDX-License-Identifier: Apache-2.0
"""What the tests of the command share: a scratch folder with its own cache, and a way to run."""

import os
import pathlib
import subprocess
import tempfile
import unittest

COMMAND = os.environ.get("HOSTNPU_TEST_COMMAND", "hostnpu")

HELLO = """#include <cstdio>
#include <initializer_list>
#include <cstdlib>
int main(int argc, char** argv) {
  for (int i = 1; i < argc; ++i) std::printf("[%s]", argv[i]);
  for (const char* name : {"HOSTNPU_CHIP", "HOSTNPU_SEED", "HOSTNPU_THREADS"}) {
    const char* value = std::getenv(name);
    std::printf(" %s=%s", name, value == nullptr ? "-" : value);
  }
  std::printf("\\n");
  return argc - 1;
}
"""


class CommandCase(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = pathlib.Path(scratch.name)
        self.cache = self.folder / "cache"

    def write(self, name, text):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return path

    def environment(self, **changes):
        environment = {k: v for k, v in os.environ.items() if not k.startswith("HOSTNPU_")}
        environment.update(HOSTNPU_CACHE_DIR=str(self.cache), HOME=str(self.folder))
        environment.update(changes)
        return environment

    def start(self, *arguments, **changes):
        return subprocess.Popen([COMMAND, *map(str, arguments)], cwd=self.folder, text=True,
                                env=self.environment(**changes), stdout=subprocess.PIPE,
                                stderr=subprocess.PIPE)

    def run_command(self, *arguments, **changes):
        process = self.start(*arguments, **changes)
        process.out, process.err = process.communicate(timeout=240)
        return process

    def entries(self):
        """The folders of compiled programs in the cache."""
        if not self.cache.exists():
            return []
        return sorted(p for p in self.cache.iterdir() if (p / "manifest").exists()
                      and not p.name.startswith("pch-"))
