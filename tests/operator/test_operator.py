# Copyright 2026 The hostnpu Authors
# SPDX-License-Identifier: Apache-2.0
"""An operator project from its folder to the results of its aclnn functions."""

import pathlib
import sys
import unittest

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "cli"))

from command_case import CommandCase  # noqa: E402


class OperatorProject(CommandCase):
    def build(self, project, output):
        return self.run_command("build-op", project, "-o", output)

    def test_a_project_becomes_a_library_whose_functions_work_and_check_their_callers(self):
        output = self.folder / "out"
        built = self.build(HERE / "project", output)
        self.assertEqual(built.returncode, 0, built.err)
        self.assertIn("ScaleShift", built.out)
        self.assertIn("2 variants", built.out)
        called = self.run_command("run", HERE / "call.cpp", output / "lib/libcust_opapi.so", "-I",
                                  output / "include")
        self.assertEqual(called.returncode, 0, called.out + called.err)
        self.assertIn("every check passed", called.out)
        for program in ("one_call.cpp", "managed_call.cpp"):
            called = self.run_command("run", HERE / program, output / "lib/libcust_opapi.so", "-I",
                                      output / "include")
            self.assertEqual(called.returncode, 0, called.out + called.err)
            self.assertIn("every check passed", called.out)

    def test_output_lists_and_attributes_that_are_lists_of_lists(self):
        output = self.folder / "out"
        built = self.build(HERE / "ranges_project", output)
        self.assertEqual(built.returncode, 0, built.err)
        header = (output / "include/aclnn_take_ranges.h").read_text()
        self.assertIn("const aclIntArray* const* ranges, uint64_t rangesSize, const aclBoolArray* negate, "
                      "const aclTensorList* zOut", header)
        called = self.run_command("run", HERE / "ranges_call.cpp", output / "lib/libcust_opapi.so",
                                  "-I", output / "include")
        self.assertEqual(called.returncode, 0, called.out + called.err)
        self.assertIn("every check passed", called.out)

    def test_lists_of_tensors_and_template_arguments_that_are_the_types_of_inputs(self):
        output = self.folder / "out"
        built = self.build(HERE / "list_project", output)
        self.assertEqual(built.returncode, 0, built.err)
        called = self.run_command("run", HERE / "list_call.cpp", output / "lib/libcust_opapi.so",
                                  "-I", output / "include")
        self.assertEqual(called.returncode, 0, called.out + called.err)
        self.assertIn("every check passed", called.out)

    def test_a_folder_without_op_host_is_refused_by_name(self):
        (self.folder / "nothing").mkdir()
        built = self.build(self.folder / "nothing", self.folder / "out")
        self.assertEqual(built.returncode, 2)
        self.assertIn("has no sources in an op_host folder", built.err)

    def test_an_operator_without_its_kernel_names_what_is_there(self):
        host = (HERE / "project/op_host/scale_shift.cpp").read_text()
        self.write("p/op_host/scale_shift.cpp", host)
        self.write("p/op_host/scale_shift_tiling.h",
                   (HERE / "project/op_host/scale_shift_tiling.h").read_text())
        self.write("p/op_kernel/other.cpp",
                   '#include "kernel_operator.h"\n'
                   "__global__ __aicore__ void other(GM_ADDR x) {}\n")
        built = self.build(self.folder / "p", self.folder / "out")
        self.assertEqual(built.returncode, 2)
        self.assertIn("operator ScaleShift needs a kernel 'scale_shift', and op_kernel has: other",
                      built.err)

    def test_host_code_that_crashes_when_it_is_loaded_is_told_from_one_that_cannot_be_loaded(self):
        self.write("p/op_host/crash.cpp", "__attribute__((constructor)) static void f() { __builtin_trap(); }\n")
        self.write("p/op_kernel/other.cpp", '#include "kernel_operator.h"\n')
        built = self.build(self.folder / "p", self.folder / "out")
        self.assertEqual(built.returncode, 2)
        self.assertIn("the project's host code cannot be loaded: it ends with signal 4", built.err)


if __name__ == "__main__":
    unittest.main()
