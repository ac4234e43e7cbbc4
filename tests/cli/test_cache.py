# Copyright 2026 The hostnpu Authors
# SPDX-License-Identifier: Apache-2.0
"""The cache under real processes: never a stale program, never a damaged one, no harm from a bad disk."""

import json
import os
import signal
import subprocess
import time
import unittest

from command_case import CommandCase

PROGRAM = '#include "value.h"\nint main() { return VALUE; }\n'


class Cache(CommandCase):
    def setUp(self):
        super().setUp()
        self.write("main.cpp", PROGRAM)
        self.write("value.h", "#define VALUE 1\n")

    def result(self, *arguments, **changes):
        run = self.run_command("run", "main.cpp", *arguments, **changes)
        self.assertEqual(run.err, "")
        return run.returncode

    def test_compiles_once(self):
        self.assertEqual(self.result(), 1)
        (entry,) = self.entries()
        made = (entry / "main").stat().st_mtime_ns
        self.assertEqual(self.result(), 1)
        self.assertEqual([entry], self.entries())
        self.assertEqual((entry / "main").stat().st_mtime_ns, made)

    def test_sees_a_change_in_a_header_even_with_an_old_time(self):
        self.assertEqual(self.result(), 1)
        header = self.folder / "value.h"
        before = header.stat()
        header.write_text("#define VALUE 2\n")
        os.utime(header, ns=(before.st_atime_ns, before.st_mtime_ns))
        self.assertEqual(self.result(), 2)

    def test_sees_a_header_that_now_stands_before_another(self):
        (self.folder / "value.h").unlink()
        self.write("late/value.h", "#define VALUE 3\n")
        (self.folder / "early").mkdir()
        self.assertEqual(self.result("-Iearly", "-Ilate"), 3)
        self.write("early/value.h", "#define VALUE 4\n")
        self.assertEqual(self.result("-Iearly", "-Ilate"), 4)

    def test_sees_a_change_in_a_file_that_only_the_compiler_finds(self):
        self.write("main.cpp", '#define NAME "value.h"\n#include NAME\nint main() { return VALUE; }\n')
        self.assertEqual(self.result(), 1)
        self.write("value.h", "#define VALUE 22 // longer\n")
        self.assertEqual(self.result(), 22)

    def test_sees_flags_and_environment(self):
        self.write("main.cpp", "#ifndef N\n#include <n.h>\n#endif\nint main() { return N; }\n")
        self.write("six/n.h", "#define N 6\n")
        self.write("seven/n.h", "#define N 7\n")
        self.assertEqual(self.result("-DN=5"), 5)
        self.assertEqual(self.result(CPATH=str(self.folder / "six")), 6)
        self.assertEqual(self.result(CPATH=str(self.folder / "seven")), 7)

    def test_makes_a_damaged_program_anew(self):
        self.assertEqual(self.result(), 1)
        (entry,) = self.entries()
        program = entry / "main"
        for damage in (lambda: os.truncate(program, 100), lambda: program.write_bytes(b"\x7fELF"),
                       program.unlink, (entry / "manifest").unlink,
                       lambda: (entry / "manifest").write_text("hostnpu-entry")):
            damage()
            self.assertEqual(self.result(), 1)

    def test_takes_no_entry_of_another_key_under_its_name(self):
        self.assertEqual(self.result(), 1)
        (entry,) = self.entries()
        manifest = entry / "manifest"
        self.assertIn("c++17", manifest.read_text())
        manifest.write_text(manifest.read_text().replace("c++17", "c++20"))
        self.assertEqual(self.result(), 1)

    def test_serves_processes_that_compile_the_same_program_at_once(self):
        processes = [self.start("run", "main.cpp") for _ in range(6)]
        for process in processes:
            _, err = process.communicate(timeout=240)
            self.assertEqual((process.returncode, err), (1, ""))
        self.assertEqual(len(self.entries()), 1)
        self.assertEqual(list((self.cache / "tmp").iterdir()), [])

    def test_survives_being_killed_in_the_middle(self):
        for delay in (0.01, 0.04, 0.08):
            process = self.start("run", "main.cpp")
            time.sleep(delay)
            process.send_signal(signal.SIGKILL)
            process.communicate()
        self.assertEqual(self.result(), 1)
        self.assertEqual(self.result(), 1)

    def test_goes_on_without_a_folder_it_can_write(self):
        self.write("file", "")
        run = self.run_command("run", "main.cpp", HOSTNPU_CACHE_DIR=str(self.folder / "file/cache"),
                               TMPDIR=str(self.folder))
        self.assertEqual(run.returncode, 1)
        self.assertIn("hostnpu: warning: the cache folder '~/file/cache' cannot be used: ", run.err)
        self.assertEqual([p for p in self.folder.iterdir() if p.name.startswith("hostnpu-")], [])

    def test_goes_on_without_a_cache_on_a_full_disk(self):
        disk = self.folder / "disk"
        disk.mkdir()
        for kilobytes in (4, 8, 12, 16, 20, 24):  # full at the first file, the object, the program, the manifest
            mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={kilobytes}k", "tmpfs", disk], check=False,
                                     stderr=subprocess.DEVNULL)
            if mounted.returncode != 0:
                self.skipTest("a small file system needs root")
            try:
                run = self.run_command("run", "main.cpp", HOSTNPU_CACHE_DIR=str(disk))
            finally:
                subprocess.run(["umount", disk], check=True)
            with self.subTest(kilobytes=kilobytes):
                self.assertEqual(run.returncode, 1)
                self.assertIn("No space left on device; going on without it", run.err)

    def test_keeps_below_its_limit(self):
        for n in range(4):
            big = f"char big[3000000] = {{{n + 1}}};\nint main() {{ return big[0]; }}\n"
            self.write("main.cpp", big)
            self.assertEqual(self.result(HOSTNPU_CACHE_LIMIT_MB="8"), n + 1)
        kept = json.loads(self.run_command("cache", "--json", HOSTNPU_CACHE_LIMIT_MB="8").out)
        self.assertLessEqual(kept["bytes"], kept["limit_bytes"])
        self.assertLess(len(self.entries()), 4)

    def test_shows_and_clears(self):
        self.assertEqual(self.result(), 1)
        shown = self.run_command("cache").out
        self.assertIn("entries  1\n", shown)
        self.assertIn("  main\n", shown)
        cleared = self.run_command("cache", "clear")
        self.assertRegex(cleared.out, r"^removed 1 entry \(.* [KM]iB\) from ~/cache\n$")
        self.assertEqual(self.entries(), [])
        self.assertEqual(self.result(), 1)

    def test_keeps_source_command_and_log_of_a_failure(self):
        self.write("main.cpp", "int main() { return wrong; }\n")
        run = self.run_command("run", "main.cpp")
        self.assertEqual(run.returncode, 2)
        folder = self.folder / run.err.rsplit("~/", 1)[1].strip()
        self.assertIn("clang++", (folder / "command").read_text())
        self.assertIn("wrong", (folder / "log").read_text())


if __name__ == "__main__":
    unittest.main()
