# Copyright 2026 The hostnpu Authors
# SPDX-License-Identifier: Apache-2.0
"""Each tool that guards the tree, on a guilty and an innocent tree of a few lines."""

import importlib.util
import re
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


def test_layers_takes_a_system_header_for_no_layer_even_if_the_names_agree(root, tree):
    tree("src/LAYERS", LAYERS + "sanitizer: base engine\n")
    tree("src/engine/fiber.cc", "#include <sanitizer/asan_interface.h>\n")
    assert layers(root, tree).returncode == 0
    tree("src/sanitizer/shadow.h", "#pragma once\n")
    tree("src/engine/fiber.cc", "#include <sanitizer/shadow.h>\n")
    assert layers(root, tree).returncode == 1


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


def test_headers_compiles_those_that_only_include_others_together(root, tree):
    tree("include/hostnpu/name.h", "#pragma once\nstruct Name {};\n")
    for alias in ("a.h", "b.h"):
        tree(f"include/hostnpu/{alias}", '// Another name.\n#include "hostnpu/name.h"\n')
    assert run_tool(root, "check_headers.py", "--root", tree.root).returncode == 0
    tree("include/hostnpu/b.h", '#include "hostnpu/nothing.h"\n')
    done = run_tool(root, "check_headers.py", "--root", tree.root)
    assert done.returncode == 1 and "one of 2 headers that only include others" in done.stdout


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
    tree("src/base/a.cc", "Stream::Stream()\n    : a_(1),\n      b_(2) {\n  Step();\n}\n\n" + function(60))
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


@pytest.fixture
def bench_table(root):
    return load(root / "tools" / "bench_table.py")


def load(path):
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_bench_table_puts_the_variants_of_a_group_side_by_side_with_their_ratio(bench_table):
    text = bench_table.table_of({"add/hostnpu": 2e-3, "add/numpy": 1e-3, "empty launch": 8e-6})
    assert "| add | 2 ms | numpy: 1 ms | 0.50 |" in text
    assert "| empty launch | 8 µs | | |" in text


def test_bench_table_takes_the_median_of_the_repetitions_and_not_the_aggregates(bench_table):
    runs = [{"name": "a/hostnpu", "run_name": "a/hostnpu/real_time", "run_type": "iteration",
             "real_time": t, "time_unit": "us"} for t in (9, 1, 2)]
    runs.append({"name": "a_mean", "run_name": "a/hostnpu", "run_type": "aggregate", "real_time": 4, "time_unit": "us"})
    assert bench_table.figures_of_google_benchmark({"benchmarks": runs}) == {"a/hostnpu": pytest.approx(2e-6)}


def test_bench_table_takes_what_google_benchmark_adds_to_a_name_off_again(bench_table):
    def names(run_name):
        run = {"name": run_name, "run_name": run_name, "run_type": "iteration", "real_time": 1, "time_unit": "s"}
        return list(bench_table.figures_of_google_benchmark({"benchmarks": [run]}))
    assert names("a/hostnpu/iterations:20/real_time") == ["a/hostnpu"]
    assert names("a/real_time_copy") == ["a/real_time_copy"]


def test_every_benchmark_program_lists_names_of_a_group_and_a_variant(root, build):
    sources = sorted((root / "benchmarks").glob("*_benchmark.cc"))
    assert sources
    if not (build / "bin" / "benchmarks").exists():
        pytest.skip("the benchmarks are not built")
    for source in sources:
        done = subprocess.run([build / "bin" / "benchmarks" / source.stem, "--benchmark_list_tests",
                               "--benchmark_format=json"], capture_output=True, text=True, timeout=120)
        assert done.returncode == 0, done.stderr
        for name in done.stdout.split():
            group, *variant = re.sub(r"(/(real_time|iterations:\d+))+$", "", name).split("/")
            assert group and len(variant) == 1, name


def test_bench_table_names_a_benchmark_that_failed(bench_table):
    run = {"name": "a", "run_type": "iteration", "error_occurred": True, "error_message": "no kernel"}
    with pytest.raises(bench_table.BenchError, match="a: no kernel"):
        bench_table.figures_of_google_benchmark({"benchmarks": [run]})


def test_bench_table_rejects_a_line_that_is_not_a_figure_and_ignores_other_text(bench_table):
    assert bench_table.figures_of_lines('warming up\n{"name": "a/numpy", "seconds": 2}\n', "x") == {"a/numpy": 2}
    with pytest.raises(bench_table.BenchError, match="compare_add.py: not a figure"):
        bench_table.figures_of_lines('{"name": "a/numpy"}', "compare_add.py")


@pytest.fixture
def page(root, tmp_path, build):
    """Returns run(text): run_blocks.py on a page with that text."""
    def run(text):
        (tmp_path / "page.md").write_text(text)
        command = [sys.executable, root / "tests" / "docs" / "run_blocks.py", "--build", build, tmp_path / "page.md"]
        return subprocess.run(command, capture_output=True, text=True, timeout=120)
    return run


def test_doc_blocks_run_in_one_folder_and_in_order(page):
    assert page("```text file=a.txt\nhello\n```\n\n```sh\ngrep hello a.txt\n```\n").returncode == 0


def test_a_doc_block_that_fails_is_named_by_its_line(page):
    done = page("text\n\n```sh\nfalse\ntrue\n```\n")
    assert done.returncode == 1 and "page.md:3: this sh block failed (exit 1)" in done.stdout


def test_a_doc_block_may_be_skipped_with_a_reason_only(page):
    assert page("```sh skip=installs\nfalse\n```\n").returncode == 0
    assert page("```sh norun\nfalse\n```\n").returncode == 1


def test_a_doc_block_without_end_is_an_error(page):
    assert "page.md:1: this block has no end" in page("```sh\ntrue\n").stdout


def test_links_accepts_a_file_that_is_there_and_names_one_that_is_not(root, tmp_path):
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "a.cc").write_text("")
    (tmp_path / "page.md").write_text("see `src/a.cc` and [it](src/a.cc#top)\n")
    command = [sys.executable, root / "tests" / "docs" / "links.py", "--root", tmp_path]
    assert subprocess.run(command, capture_output=True).returncode == 0
    (tmp_path / "page.md").write_text("see `src/b.cc`\n\nand [it](c.md)\n")
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 1
    assert "page.md:1: 'src/b.cc' is not there" in done.stdout and "page.md:3: 'c.md' is not there" in done.stdout


def test_headers_takes_a_folder_and_leaves_the_others_alone(root, tree):
    tree("src/base/name.h", "#pragma once\n")
    tree("include/hostnpu/bad.h", "#pragma once\nThis does not compile;\n")
    done = run_tool(root, "check_headers.py", "--root", tree.root, "src")
    assert (done.returncode, done.stdout) == (0, "check_headers: 1 headers compile alone\n")


def test_build_writes_a_make_rule_of_the_files_it_read(hostnpu, tmp_path):
    (tmp_path / "three of.h").write_text("#pragma once\ninline constexpr int kThree = 3;\n")
    (tmp_path / "three.asc").write_text('#include "three of.h"\nint Three() { return kThree; }\n')
    command = [hostnpu, "build", "-c", tmp_path / "three.asc", "-o", tmp_path / "three.o",
               "--depfile", tmp_path / "three.d"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    rule = (tmp_path / "three.d").read_text()
    assert rule.startswith(f"{tmp_path}/three.o:")
    assert f"{tmp_path}/three.asc" in rule and f"{tmp_path}/three\\ of.h" in rule
