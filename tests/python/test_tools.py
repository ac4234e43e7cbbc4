# Copyright 2026 The hostnpu Authors
# SPDX-License-Identifier: Apache-2.0
"""Each tool that guards the tree, on a guilty and an innocent tree of a few lines."""

import subprocess
import sys

import pytest

pytestmark = pytest.mark.smoke

LAYERS = "# folder: may include\nbase:\narch: base\nengine: base arch\n"


def run_tool(root, name, *arguments):
    command = [sys.executable, root / "tools" / name, *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, timeout=120)


@pytest.fixture
def tree(tmp_path):
    """Returns write(path, text): a file of a small project below tmp_path."""
    def write(path, text):
        target = tmp_path / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text)
        return target
    write("src/LAYERS", LAYERS)
    write.root = tmp_path
    return write


def layers(root, tree):
    return run_tool(root, "check_layers.py", "--root", tree.root)


def test_layers_accepts_an_include_from_above_to_below(root, tree):
    tree("src/engine/launch.cc", '#include "engine/launch.h"\n#include "arch/chip.h"\n#include <vector>\n')
    done = layers(root, tree)
    assert (done.returncode, done.stdout) == (0, "check_layers: clean\n")


def test_layers_names_file_line_and_rule_of_an_include_from_below_to_above(root, tree):
    tree("src/arch/chip.cc", '#include "arch/chip.h"\n#include "engine/launch.h"\n')
    done = layers(root, tree)
    assert done.returncode == 1
    assert ('src/arch/chip.cc:2: arch may not include "engine/launch.h" (besides itself: base; see src/LAYERS)'
            in done.stdout)


def test_layers_rejects_an_include_that_does_not_say_its_layer(root, tree):
    tree("src/arch/chip.cc", '#include "chip.h"\n')
    assert 'write "arch/chip.h"' in layers(root, tree).stdout


def test_layers_rejects_a_folder_that_the_list_does_not_know(root, tree):
    tree("src/misc/things.cc", "int x;\n")
    done = layers(root, tree)
    assert done.returncode == 1 and "src/misc: this folder is not in src/LAYERS" in done.stdout


def test_layers_keeps_kernel_headers_out_of_src(root, tree):
    tree("include/ascendc/basic/tensor.h", '#include "engine/launch.h"\n')
    done = layers(root, tree)
    assert done.returncode == 1 and "src/ is not installed" in done.stdout


def test_layers_lets_kernel_headers_include_each_other_by_relative_path(root, tree):
    tree("include/ascendc/basic/tensor.h", '#include "../detail/device_abi.h"\n')
    tree("include/ascendc/detail/device_abi.h", "#include <stdint.h>\n")
    assert layers(root, tree).returncode == 0


def test_layers_lets_src_meet_kernels_at_the_door_only(root, tree):
    tree("src/engine/abi.cc", '#include "ascendc/detail/device_abi.h"\n')
    assert layers(root, tree).returncode == 0
    tree("src/engine/abi.cc", '#include "ascendc/basic/tensor.h"\n')
    assert layers(root, tree).returncode == 1


def test_layers_rejects_a_link_against_the_edges(root, tree):
    tree("src/CMakeLists.txt", "target_link_libraries(hostnpu_arch PUBLIC fmt::fmt\n  hostnpu_engine)\n")
    done = layers(root, tree)
    assert "src/CMakeLists.txt:1: hostnpu_arch may not link hostnpu_engine" in done.stdout
    tree("src/CMakeLists.txt", "target_link_libraries(hostnpu_engine PUBLIC hostnpu_arch)\n")
    assert layers(root, tree).returncode == 0


def test_layers_refuses_a_list_with_a_cycle(root, tree):
    tree("src/LAYERS", "base: arch\narch: base\n")
    done = layers(root, tree)
    assert done.returncode == 2 and "so that it has no cycle" in done.stderr


def test_headers_accepts_one_that_brings_what_it_needs(root, tree):
    tree("include/hostnpu/name.h", "#pragma once\n#include <string>\ninline std::string Name() { return {}; }\n")
    done = run_tool(root, "check_headers.py", "--root", tree.root)
    assert (done.returncode, done.stdout) == (0, "check_headers: 1 headers compile alone\n")


def test_headers_names_one_that_leans_on_its_includer(root, tree):
    tree("include/hostnpu/name.h", "#pragma once\ninline std::string Name() { return {}; }\n")
    done = run_tool(root, "check_headers.py", "--root", tree.root)
    assert done.returncode == 1 and "include/hostnpu/name.h: does not compile alone" in done.stdout


def test_headers_rejects_one_without_an_include_guard(root, tree):
    tree("src/base/name.h", "struct Name {};\n")
    done = run_tool(root, "check_headers.py", "--root", tree.root)
    assert done.returncode == 1 and "redefinition of 'Name'" in done.stdout


def test_headers_compiles_the_c_interface_as_c(root, tree):
    tree("include/acl/acl.h", "#pragma once\nstatic inline int Three(void) { return 3; }\n")
    assert run_tool(root, "check_headers.py", "--root", tree.root).returncode == 0
    tree("include/acl/acl.h", "#pragma once\nenum class Kind { kOne };\n")
    done = run_tool(root, "check_headers.py", "--root", tree.root)
    assert done.returncode == 1 and "-std=c11" in done.stdout


def test_size_accepts_a_file_at_the_limit_and_rejects_one_line_more(root, tree):
    tree("src/base/long.cc", "int x;\n" * 800)
    done = run_tool(root, "size.py", "--root", tree.root)
    assert done.returncode == 0 and "largest 800 (src/base/long.cc)" in done.stdout
    tree("src/base/long.cc", "int x;\n" * 801)
    done = run_tool(root, "size.py", "--root", tree.root)
    assert done.returncode == 1 and "src/base/long.cc: 801 lines; the limit is 800" in done.stdout


def test_size_wants_an_issue_number_in_a_todo(root, tree):
    tree("src/base/a.cc", "// TODO(#12): the other half\n")
    assert run_tool(root, "size.py", "--root", tree.root).returncode == 0
    tree("src/base/a.cc", "// TODO: the other half\n")
    done = run_tool(root, "size.py", "--root", tree.root)
    assert done.returncode == 1 and "src/base/a.cc:1: a TODO without an issue number" in done.stdout


def test_size_notes_a_function_over_sixty_lines_and_passes_one_of_sixty(root, tree):
    def function(lines):
        return "int F() {\n" + "  Step();\n" * (lines - 2) + "}\n"
    tree("src/base/a.cc", function(60))
    assert "0 functions over 60 lines" in run_tool(root, "size.py", "--root", tree.root).stdout
    tree("src/base/a.cc", function(61))
    assert "src/base/a.cc:1: a function of 61 lines" in run_tool(root, "size.py", "--root", tree.root).stdout


def test_format_check_passes_a_formatted_file_and_names_another(root, tmp_path):
    (tmp_path / ".clang-format").write_text((root / ".clang-format").read_text())
    file = tmp_path / "a.cc"
    check = ["bash", root / "tools" / "format.sh", "--check", file]
    file.write_text("int Add(int a, int b) { return a + b; }\n")
    assert subprocess.run(check, capture_output=True, text=True).returncode == 0
    file.write_text("int Add( int a,int b ){return a+b;}\n")
    done = subprocess.run(check, capture_output=True, text=True)
    assert done.returncode == 1 and "run: make format" in done.stderr


def test_tools_name_an_argument_that_they_do_not_know(root):
    for name in ("setup.sh", "presubmit.sh", "sanitize.sh"):
        done = subprocess.run(["bash", root / "tools" / name, "--nonsense"], capture_output=True, text=True)
        assert done.returncode == 2 and "'--nonsense' (known:" in done.stderr
