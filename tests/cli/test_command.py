# Copyright 2026 The hostnpu Authors
# SPDX-License-Identifier: Apache-2.0
"""run, build, doctor, explain, version: their effects, their texts and their exit codes."""

import json
import os
import subprocess
import unittest

from command_case import HELLO, CommandCase

KERNEL = """#include "kernel_operator.h"
extern "C" __global__ __aicore__ void twice(GM_ADDR x, uint32_t n) {}
"""

# Each kind of core is told apart while compiling, so the source must be compiled twice.
TWO_KINDS = r"""#include "acl/acl.h"
#include "kernel_operator.h"
#include <cstdio>
template <int CORE>
void Stamp(__gm__ uint32_t* x) {
  if constexpr (g_coreType == AscendC::AIC) {
    x[AscendC::GetBlockIdx()] = 1000 + AscendC::GetBlockIdx();
  } else {
    x[8 + AscendC::GetBlockIdx()] = 2000 + AscendC::GetBlockIdx();
  }
}
__global__ __mix__(1, 2) void both(GM_ADDR x) {
#ifdef __DAV_C220_CUBE__
  Stamp<1>((__gm__ uint32_t*)x);
#elif defined(__DAV_C220_VEC__)
  Stamp<1>((__gm__ uint32_t*)x);
#endif
}
int main() {
  aclInit(nullptr); aclrtSetDevice(0); aclrtStream s; aclrtCreateStream(&s);
  void* x; aclrtMalloc(&x, 64, ACL_MEM_MALLOC_HUGE_FIRST); aclrtMemset(x, 64, 0, 64);
  both<<<4, nullptr, s>>>((uint8_t*)x);
  int sync = aclrtSynchronizeStream(s);
  uint32_t h[16]; aclrtMemcpy(h, 64, x, 64, ACL_MEMCPY_DEVICE_TO_HOST);
  std::printf("%d:", sync); for (auto v : h) std::printf(" %u", v); std::printf("\n");
}
"""

STAMP_KERNEL = r"""#include "kernel_operator.h"
struct Tiling { uint32_t n; float f; };
namespace ops {
extern "C" __global__ __aicore__ void stamp(GM_ADDR x, Tiling t) {
  KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIV_ONLY);
  ((__gm__ uint32_t*)x)[AscendC::GetBlockIdx()] = t.n + AscendC::GetBlockIdx();
}
}
"""

STAMP_HOST = r"""#include <cstdint>
#include <cstdio>
#include "acl/acl.h"
struct Tiling { uint32_t n; float f; };
#include "aclrtlaunch_stamp.h"
int main() {
  aclInit(nullptr); aclrtSetDevice(0); aclrtStream s; aclrtCreateStream(&s);
  void* x; aclrtMalloc(&x, 64, ACL_MEM_MALLOC_HUGE_FIRST);
  uint32_t rc = ACLRT_LAUNCH_KERNEL(stamp)(4, s, x, Tiling{100, 1});
  int sync = aclrtSynchronizeStream(s);
  uint32_t h[4]; aclrtMemcpy(h, 16, x, 16, ACL_MEMCPY_DEVICE_TO_HOST);
  std::printf("%u %d %u %u %u %u\n", rc, sync, h[0], h[1], h[2], h[3]);
}
"""


# Holds what libhostnpu has made, by the C++ library's shared pointers.
HOLDS_A_KERNEL = """#include "hostnpu/runtime.h"
int main() {
  auto module = hostnpu::Module::CompileText(
      "#include \\"kernel_operator.h\\"\\n__global__ __vector__ void nothing(GM_ADDR x) {}", "nothing.asc");
  auto kernel = module->Find("nothing");
  const hostnpu::Kernel copy = *kernel;
  return hostnpu::Launch(copy, 2, {}, {hostnpu::Output<float>(8)}, {}, {}).ok() ? 0 : 1;
}
"""

SANITIZED = os.environ.get("HOSTNPU_TEST_SANITIZE", "")


class Run(CommandCase):
    def test_gives_arguments_environment_and_exit_code_through(self):
        self.write("hello.cpp", HELLO)
        run = self.run_command("run", "hello.cpp", "--chip", "ascend910b4", "--seed", "7",
                               "--threads", "2", "--", "a b", "--seed", "--")
        self.assertEqual(run.err, "")
        self.assertEqual(run.out,
                         "[a b][--seed][--] HOSTNPU_CHIP=Ascend910B4 HOSTNPU_SEED=7 HOSTNPU_THREADS=2\n")
        self.assertEqual(run.returncode, 3)

    def test_runs_a_program_named_as_a_file_of_the_cache_entry(self):
        for name in ("log", "command"):
            self.write(name + ".cpp", "int main() { return 7; }")
            self.assertEqual(self.run_command("run", name + ".cpp").returncode, 7, name)

    def test_leaves_the_environment_alone_unless_asked(self):
        self.write("hello.cpp", HELLO)
        run = self.run_command("run", "hello.cpp", HOSTNPU_SEED="9")
        self.assertEqual(run.out, " HOSTNPU_CHIP=- HOSTNPU_SEED=9 HOSTNPU_THREADS=-\n")

    def test_ends_by_the_signal_of_the_program(self):
        self.write("dies.cpp", "#include <csignal>\nint main() { raise(SIGTERM); }\n")
        self.assertEqual(self.run_command("run", "dies.cpp").returncode, -15)

    def test_compiles_several_files_with_macros_and_folders(self):
        self.write("main.cpp", '#include "value.h"\nint other();\nint main() { return VALUE + other(); }\n')
        self.write("other.cc", "int other() { return N; }\n")
        self.write("inc/value.h", "#define VALUE 2\n")
        run = self.run_command("run", "main.cpp", "other.cc", "-Iinc", "-DN=3")
        self.assertEqual((run.err, run.returncode), ("", 5))

    def test_takes_another_language_version(self):
        self.write("new.cpp", "template <typename T> concept C = true;\nint main() { return 0; }\n")
        self.assertEqual(self.run_command("run", "new.cpp").returncode, 2)
        for spelling in (["-std=c++20"], ["--std=c++20"], ["--std", "c++20"]):
            self.assertEqual(self.run_command("run", "new.cpp", *spelling).returncode, 0, spelling)

    def test_links_objects_and_libraries(self):
        self.write("part.cpp", "int part() { return 4; }\n")
        self.write("main.cpp", "#include <cmath>\nint part();\nint main() { return part(); }\n")
        self.assertEqual(self.run_command("build", "-c", "part.cpp", "-o", "part.o").returncode, 0)
        self.assertEqual(self.run_command("run", "main.cpp", "part.o", "-lm").returncode, 4)

    def test_compiles_twice_what_asks_for_the_kind_of_core(self):
        self.write("two.asc", TWO_KINDS)
        expected = "0: 1000 1001 1002 1003 0 0 0 0 2000 2001 2002 2003 2004 2005 2006 2007\n"
        run = self.run_command("run", "two.asc")
        self.assertEqual((run.err, run.out), ("", expected))
        self.assertEqual(self.run_command("build", "-c", "two.asc", "-o", "two.o").returncode, 0)
        self.assertEqual(self.run_command("run", "two.o").out, expected)

    def test_launches_a_kernel_of_another_file_by_its_launcher(self):
        self.write("stamp.cpp", STAMP_KERNEL)
        self.write("host.cpp", STAMP_HOST)
        run = self.run_command("run", "host.cpp", "stamp.cpp")
        self.assertEqual((run.err, run.out), ("", "0 0 100 101 102 103\n"))

    def test_names_what_it_cannot_take(self):
        self.write("kernel.txt", "")
        for arguments, text in (
            (["run", "none.asc"], "hostnpu: error: there is no file 'none.asc'\n"),
            (["run", "."], "hostnpu: error: '.' is a directory, not a source file\n"),
            (["run", "kernel.txt"], "hostnpu: error: 'kernel.txt' is of a kind that hostnpu does not "
             "compile (known: .asc, .cpp, .cce, .cc, .cxx, .c; .o, .a and .so are linked)\n"),
        ):
            run = self.run_command(*arguments)
            self.assertEqual((run.out, run.err, run.returncode), ("", text, 2))

    def test_refuses_an_unknown_chip_by_name(self):
        self.write("hello.cpp", HELLO)
        self.write("hello.py", "print('hello')\n")
        for program in ("hello.cpp", "hello.py"):
            run = self.run_command("run", program, "--chip", "Ascend123")
            self.assertIn("Ascend123", run.err)
            self.assertIn("Ascend910B1", run.err)
            self.assertEqual((run.returncode, run.out), (2, ""))

    @unittest.skipIf(SANITIZED, "this hostnpu has a sanitizer already")
    def test_a_sanitizer_finds_the_fault_of_a_program_and_none_of_the_library(self):
        self.write("holds.cpp", HOLDS_A_KERNEL)
        run = self.run_command("run", "holds.cpp", "--sanitize", "undefined")
        self.assertEqual((run.err, run.returncode), ("", 0))
        self.write("shift.cpp", "int main(int argc, char**) { return (1 << (argc + 31)) != 0; }\n")
        run = self.run_command("run", "shift.cpp", "--sanitize", "undefined")
        self.assertIn("shift exponent 32 is too large", run.err)

    @unittest.skipIf(SANITIZED, "the interpreter has no sanitizer's run time")
    def test_gives_a_script_the_words_behind_it_that_are_no_options_of_its_own(self):
        self.write("words.py", "import os, sys\nprint(sys.argv[1:], os.environ.get('HOSTNPU_SEED'))\n")
        run = self.run_command("run", "words.py", "--m", "1024", "--seed", "7", "-v", "--", "--seed", "8")
        self.assertEqual((run.out, run.returncode), ("['--m', '1024', '-v', '--seed', '8'] 7\n", 0), run.err)
        run = self.run_command("run", "words.py", "--seed")
        self.assertIn("--seed", run.err)
        self.assertEqual(run.returncode, 2)

    def test_refuses_for_a_script_what_only_clang_would_take(self):
        self.write("hello.py", "print('hello')\n")
        for option in (["-DN=1"], ["-UN"], ["-I."], ["-lm"], ["-L."], ["-std=c++20"], ["-g"],
                       ["--sanitize", "address"], ["-X", "-O0"]):
            run = self.run_command("run", *option, "hello.py")
            self.assertIn("is for sources that clang compiles, but 'hello.py' is a script", run.err)
            self.assertEqual((run.returncode, run.out), (2, ""))

    def test_says_once_why_a_program_does_not_start(self):
        self.write("hello.cpp", HELLO)
        run = self.run_command("run", "hello.cpp", "-X", "-Wl,--dynamic-linker=/none")
        self.assertRegex(run.err, r"^hostnpu: error: cannot start '.*/hello': No such file or directory\n$")
        self.assertEqual(run.returncode, 3)

    def test_refuses_wrong_usage(self):
        for arguments in ([], ["run"], ["run", "a.cpp", "--no-such-option"], ["fly"],
                          ["doctor", "--", "x"], ["run", "a.cpp", "--threads", "0"],
                          ["run", "a.cpp", "--poison", "--undefined", "zero"],
                          ["run", "a.cpp", "--seed", "random"]):
            run = self.run_command(*arguments)
            self.assertEqual(run.returncode, 2, arguments)
            self.assertIn("hostnpu: error: ", run.err)


class Build(CommandCase):
    def test_makes_an_executable_that_runs_by_itself(self):
        self.write("hello.cpp", HELLO)
        build = self.run_command("build", "hello.cpp", "-o", "out/hello")
        self.assertEqual(build.returncode, 2)  # the folder is not there
        (self.folder / "out").mkdir()
        self.assertEqual(self.run_command("build", "hello.cpp", "-o", "out/hello").returncode, 0)
        run = subprocess.run([self.folder / "out/hello", "x"], stdout=subprocess.PIPE, check=False)
        self.assertEqual(run.returncode, 1)

    def test_makes_a_result_that_is_there_new_for_make_and_leaves_its_file(self):
        self.write("hello.cpp", HELLO)
        out = self.folder / "hello"
        def build():
            self.assertEqual(self.run_command("build", "hello.cpp", "-o", "hello").returncode, 0)
        build()
        os.utime(out, (1, 1))
        out.chmod(0o600)
        before = out.stat()
        build()
        after = out.stat()
        self.assertEqual(after.st_ino, before.st_ino)
        self.assertGreater(after.st_mtime, (self.folder / "hello.cpp").stat().st_mtime - 1)
        self.assertEqual(after.st_mode & 0o777, 0o755)
        self.assertEqual(subprocess.run([out, "x"], stdout=subprocess.PIPE, check=False).returncode, 1)

    def test_replaces_a_result_that_is_another_even_of_the_same_size(self):
        self.write("hello.cpp", HELLO)
        out = self.folder / "hello"
        def build():
            self.assertEqual(self.run_command("build", "hello.cpp", "-o", "hello").returncode, 0)
            return out.read_bytes()
        good = build()
        bad = bytearray(good)
        bad[len(bad) // 2] ^= 1
        for text in (bytes(bad), good[:-1], good + b"x", b""):
            out.write_bytes(text)
            self.assertEqual(build(), good)
        out.unlink()
        out.mkdir()
        build = self.run_command("build", "hello.cpp", "-o", "hello")
        self.assertEqual((build.returncode, build.err),
                         (2, "hostnpu: error: 'hello' is a directory; name a file with -o\n"))

    def test_makes_a_shared_object_with_the_launcher_of_each_kernel(self):
        self.write("twice.asc", KERNEL)
        self.assertEqual(self.run_command("build", "-shared", "twice.asc", "-o", "t.so").returncode, 0)
        symbols = subprocess.run(["nm", "-D", self.folder / "t.so"], stdout=subprocess.PIPE, text=True,
                                 check=True).stdout
        self.assertIn("W aclrtlaunch_twice", symbols)
        self.assertIn("T twice", symbols)

    def test_generates_the_launch_header_across_files(self):
        self.write("twice.asc", KERNEL)
        self.write("host.cpp", '#include "aclrtlaunch_twice.h"\n'
                   "int Start() { return ACLRT_LAUNCH_KERNEL(twice)(8, nullptr, nullptr, 5); }\n")
        build = self.run_command("build", "-shared", "host.cpp", "twice.asc", "-o", "t.so")
        self.assertEqual((build.err, build.returncode), ("", 0))

    def test_gives_words_behind_dashes_to_clang(self):
        self.write("hello.cpp", "#ifndef FROM_CLANG\n#error no\n#endif\nint main() {}\n")
        self.assertEqual(self.run_command("build", "hello.cpp", "-o", "a").returncode, 2)
        build = self.run_command("build", "hello.cpp", "-o", "a", "--", "-DFROM_CLANG", "-O0")
        self.assertEqual((build.err, build.returncode), ("", 0))

    def test_excludes_object_and_shared_object(self):
        self.write("hello.cpp", HELLO)
        build = self.run_command("build", "-c", "-shared", "hello.cpp", "-o", "a")
        self.assertEqual(build.returncode, 2)
        self.assertIn("-shared and -c exclude each other", build.err)


class Report(CommandCase):
    def test_doctor_finds_all_it_needs_here(self):
        doctor = self.run_command("doctor")
        self.assertEqual(doctor.returncode, 0, doctor.out)
        for word in ("compiler", "chip", "cores", "cache", "nothing is missing"):
            self.assertIn(word, doctor.out)
        report = json.loads(self.run_command("doctor", "--json").out)
        self.assertEqual(report["problems"], [])
        self.assertIn("19.", report["compiler"])

    def test_doctor_says_what_is_missing(self):
        doctor = self.run_command("doctor", HOSTNPU_CXX="/no/such/clang", HOSTNPU_CHIP="Ascend123")
        self.assertEqual(doctor.returncode, 1)
        self.assertIn("HOSTNPU_CXX names '/no/such/clang', which is no program", doctor.out)
        self.assertIn("2 problems", doctor.out)

    def test_explains_a_message_and_suggests_a_near_one(self):
        self.assertIn("no-main", self.run_command("explain").out)
        self.assertIn("hostnpu build -shared", self.run_command("explain", "no-main").out)
        wrong = self.run_command("explain", "no-mian")
        self.assertEqual(wrong.returncode, 2)
        self.assertEqual(wrong.err, "hostnpu: error: there is no message 'no-mian'; did you mean 'no-main'?\n")

    def test_prints_its_version(self):
        self.assertRegex(self.run_command("version").out, r"^hostnpu \d+\.\d+\.\d+\n$")

    def test_prints_help_without_an_error(self):
        for arguments in (["--help"], ["run", "--help"], ["cache", "-h"]):
            run = self.run_command(*arguments)
            self.assertEqual((run.err, run.returncode), ("", 0))
            self.assertIn("Usage: hostnpu", run.out)


if __name__ == "__main__":
    unittest.main()
