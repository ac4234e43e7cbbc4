# Copyright 2026 The hostnpu Authors
# SPDX-License-Identifier: Apache-2.0
"""Headers compiled ahead: quick, and never seen by the program."""

import os
import pathlib
import tempfile
import unittest

from command_case import COMMAND, CommandCase

ADD = """#include <vector>

#include "acl/acl.h"
#include "kernel_operator.h"

__global__ __vector__ void add(GM_ADDR x, float value) {
  AscendC::TPipe pipe;
  AscendC::TQue<AscendC::TPosition::VECIN, 1> in;
  AscendC::TQue<AscendC::TPosition::VECOUT, 1> out;
  pipe.InitBuffer(in, 1, 256);
  pipe.InitBuffer(out, 1, 256);
  AscendC::GlobalTensor<float> gm;
  gm.SetGlobalBuffer((__gm__ float*)x, 64);
  auto src = in.AllocTensor<float>();
  AscendC::DataCopy(src, gm, 64);
  in.EnQue(src);
  src = in.DeQue<float>();
  auto dst = out.AllocTensor<float>();
  AscendC::Adds(dst, src, value, 64);
  in.FreeTensor(src);
  out.EnQue(dst);
  dst = out.DeQue<float>();
  AscendC::DataCopy(gm, dst, 64);
  out.FreeTensor(dst);
}

int main() {
  std::vector<float> host(64, 40.0f);
  void* x = nullptr;
  aclInit(nullptr);
  aclrtSetDevice(0);
  aclrtMalloc(&x, 256, ACL_MEM_MALLOC_HUGE_FIRST);
  aclrtMemcpy(x, 256, host.data(), 256, ACL_MEMCPY_HOST_TO_DEVICE);
  add<<<1, nullptr, nullptr>>>((uint8_t*)x, VALUE);
  if (aclrtSynchronizeStream(nullptr) != ACL_SUCCESS) return 1;
  aclrtMemcpy(host.data(), 256, x, 256, ACL_MEMCPY_DEVICE_TO_HOST);
  return static_cast<int>(host[63]);
}
"""

MIXED = """#include <vector>

#include "kernel_operator.h"

__global__ __mix__(1, 2) void fill(GM_ADDR x) {
  AscendC::GlobalTensor<float> gm;
  gm.SetGlobalBuffer((__gm__ float*)x, 64);
#ifdef __DAV_C220_CUBE__
  gm.SetValue(0, 1.0f);
#else
  gm.SetValue(1, 1.0f);
#endif
}

int main() { return static_cast<int>(std::vector<int>(7).size()); }
"""

PRODUCTS = ("host.pch", "kernel.pch", "kernel.o")

# A reserved name may matter to any header: those that came with the build do not do.
OWN = "-D__OWN_HEADERS__=1"
WITH_BUILD = pathlib.Path(COMMAND).resolve().parent.parent / "lib" / "hostnpu-precompiled"


class Precompiled(CommandCase):
    @classmethod
    def setUpClass(cls):
        cls.shared = tempfile.TemporaryDirectory()  # making the headers is what takes time here
        cls.addClassCleanup(cls.shared.cleanup)

    def setUp(self):
        super().setUp()
        self.cache = pathlib.Path(self.shared.name)

    def result(self, *arguments, **changes):
        run = self.run_command("run", "main.asc", *arguments, **changes)
        self.assertEqual(run.err, "")
        return run.returncode

    def product(self, name):
        (found,) = self.cache.glob(f"pch-*/{name}")
        return found

    @unittest.skipUnless(WITH_BUILD.is_dir(), "this build was made without HOSTNPU_PRECOMPILE")
    def test_come_with_the_build_for_programs_without_macros_of_their_own(self):
        self.cache = self.folder / "cache"
        self.write("main.asc", ADD)
        self.assertEqual(self.result("-DVALUE=2"), 42)
        self.assertEqual([p.name for p in self.cache.glob("pch-*")], [])
        self.assertEqual(self.result("-DVALUE=2", OWN), 42)
        self.assertEqual(len(list(self.cache.glob("pch-*"))), len(PRODUCTS))

    def test_are_made_once_and_made_anew_when_damaged_or_gone(self):
        self.write("main.asc", ADD)
        self.assertEqual(self.result("-DVALUE=2", OWN), 42)
        made = [self.product(name).stat().st_mtime_ns for name in PRODUCTS]
        self.write("main.asc", ADD + "// another\n")
        self.assertEqual(self.result("-DVALUE=3", OWN), 43)
        self.assertEqual([self.product(name).stat().st_mtime_ns for name in PRODUCTS], made)
        os.truncate(self.product("host.pch"), 1000)
        self.product("kernel.o").unlink()
        self.assertEqual(self.result("-DVALUE=4", OWN), 44)
        self.assertTrue(all(self.product(name).stat().st_mtime_ns > time
                            for name, time in zip(PRODUCTS, made)))

    def test_take_no_name_from_a_program(self):
        # ::index comes with <cstring>, ::y0 with <cmath>; this program includes neither.
        self.write("main.asc", '#include <vector>\n#include "kernel_operator.h"\n'
                               "int index = 3, y0 = 4;\nint main() { return index + y0; }\n")
        self.assertEqual(self.result(), 7)

    def test_say_an_error_once_and_as_without_them(self):
        self.write("main.asc", '#include <vector>\n#include "kernel_operator.h"\n'
                               "int main() { return wrong; }\n")
        run = self.run_command("run", "main.asc")
        self.assertEqual(run.returncode, 2)
        self.assertEqual(run.err.count("error:"), 1, run.err)
        self.assertIn("main.asc:3:21: error: use of undeclared identifier 'wrong'", run.err)

    def test_that_the_cache_evicts_while_they_are_in_use_are_done_without(self):
        self.cache = self.folder / "cache"
        self.write("main.asc", MIXED)
        run = self.run_command("run", "main.asc", OWN, HOSTNPU_CACHE_LIMIT_MB="1")  # keeps the last one made
        self.assertEqual(run.returncode, 7, run.err)
        self.assertIn("hostnpu: warning: headers compiled ahead left the cache while they were in use", run.err)
        self.write("main.asc", MIXED.replace("std::vector<int>(7)", "wrong"))
        run = self.run_command("run", "main.asc", OWN, HOSTNPU_CACHE_LIMIT_MB="1")
        self.assertEqual((run.returncode, run.err.count("error:")), (2, 1), run.err)
        self.assertIn("error: use of undeclared identifier 'wrong'", run.err)

    def test_leave_an_object_file_whole(self):
        self.write("main.asc", ADD)
        built = self.run_command("build", "main.asc", "-DVALUE=2", "-c", "-o", "main.o")
        self.assertEqual((built.returncode, built.err), (0, ""))
        linked = self.run_command("build", "main.o", "-o", "main")
        self.assertEqual((linked.returncode, linked.err), (0, ""))
        self.assertEqual(os.waitstatus_to_exitcode(os.system(str(self.folder / "main"))), 42)


if __name__ == "__main__":
    unittest.main()
