# Copyright 2026 The hostnpu Authors
# SPDX-License-Identifier: Apache-2.0
"""`hostnpu run script.py`: what a script for the NPU finds in place of the packages it imports."""

import os
import subprocess
import sys
import textwrap

import pytest

pytest.importorskip("hostnpu._native", exc_type=ImportError)


def start(module, before, script, root, tmp_path, *arguments, cwd=None):
    path = tmp_path / "program" / "script.py"
    path.parent.mkdir(exist_ok=True)
    path.write_text(textwrap.dedent(script))
    environment = {**os.environ, "PYTHONPATH": str(root / "python")}
    command = [sys.executable, "-m", module, *before, str(path), *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=300, env=environment, cwd=cwd or tmp_path)


def run(script, root, tmp_path, *arguments, cwd=None):
    """Standard output of the script; what it writes to standard error, or another exit, is a failure."""
    ran = start("hostnpu.run", [], script, root, tmp_path, *arguments, cwd=cwd)
    assert ran.returncode == 0 and ran.stderr == "", ran.stdout + ran.stderr
    return ran.stdout


def test_a_script_sees_its_own_folder_and_its_own_arguments(root, tmp_path):
    (tmp_path / "queue.py").write_text("raise SystemExit('the module of the folder I stand in')\n")
    (tmp_path / "program").mkdir()
    (tmp_path / "program" / "sibling.py").write_text("value = 7\n")
    script = """
        import queue, sys
        import sibling
        print(sibling.value, sys.argv[1:], hasattr(queue, "Queue"))
    """
    assert run(script, root, tmp_path, "--m", "3", cwd=tmp_path) == "7 ['--m', '3'] True\n"


def test_the_device_is_the_cpu(root, tmp_path):
    pytest.importorskip("torch")
    script = """
        import torch
        import torch_npu
        x = torch.arange(4, device="npu").npu().to("npu:0")
        torch.set_default_device("npu")
        torch.npu.synchronize()
        print((x + torch.ones(4, dtype=torch.int64)).cpu().tolist(), torch.npu.is_available())
    """
    assert run(script, root, tmp_path) == "[1, 2, 3, 4] True\n"


def test_a_part_of_a_tensor_may_be_written_with_a_view_of_itself(root, tmp_path):
    pytest.importorskip("torch")
    script = """
        import torch
        x = torch.arange(8.0, device="npu").reshape(1, 8)
        part = x[:, 2:6].contiguous().view(1, -1)  # one row: the same memory, with other strides
        part.neg_()
        x[:, 2:6] = part.view(1, 4)
        x[:, 0:4] = x[:, 1:5]
        print(x.tolist())
    """
    assert run(script, root, tmp_path) == "[[1.0, -2.0, -3.0, -4.0, -4.0, -5.0, 6.0, 7.0]]\n"


def test_products_of_half_are_summed_in_float_and_rounded_once(root, tmp_path):
    pytest.importorskip("torch")
    script = """
        import torch
        torch.manual_seed(0)
        for dtype in (torch.float16, torch.bfloat16):
            a, b = torch.randn(37, 500).to(dtype), torch.randn(500, 20).to(dtype)
            x, y = torch.randn(3, 7, 500).to(dtype), torch.randn(3, 500, 5).to(dtype)
            bias = torch.ones(20).to(dtype)
            assert torch.equal(a @ b, (a.float() @ b.float()).to(dtype))
            assert torch.equal(torch.einsum("bij,bjk->bik", x, y), (x.float() @ y.float()).to(dtype))
            assert torch.equal(torch.nn.functional.linear(a, b.T, bias), (a.float() @ b.float() + 1).to(dtype))
        p, q = torch.randn(4, 5, requires_grad=True), torch.randn(5, 6, requires_grad=True)
        (p @ q).sum().backward()
        assert torch.allclose(p.grad, q.sum(1).expand(4, 5))
        i, j = torch.randint(0, 9, (4, 5)), torch.randint(0, 9, (5, 6))
        assert torch.equal(i @ j, (i.double() @ j.double()).long())
        print("equal")
    """
    assert run(script, root, tmp_path) == "equal\n"


def test_nothing_of_it_is_there_without_the_command(root):
    environment = {**os.environ, "PYTHONPATH": str(root / "python")}
    code = "import hostnpu, sys; print([name for name in ('tilelang', 'torch_npu') if name in sys.modules])"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=environment, timeout=120)
    assert ran.stdout == "[]\n", ran.stdout + ran.stderr


def test_exp_is_the_float_next_to_the_exact_value(root, tmp_path):
    pytest.importorskip("torch")
    script = """
        import torch
        torch.manual_seed(0)
        x = torch.randn(100000)
        assert torch.equal(torch.exp(x), torch.exp(x.double()).float())
        assert torch.equal(x.exp().half(), torch.exp(x.double()).float().half())
        assert torch.exp(torch.arange(3)).dtype == torch.float32
        assert torch.exp(torch.ones(3).half()).dtype == torch.float16
        y = torch.ones(2, requires_grad=True)
        torch.exp(y).sum().backward()
        assert torch.allclose(y.grad, torch.full((2,), 2.7182817))
        print("equal")
    """
    assert run(script, root, tmp_path) == "equal\n"


TWO_KERNELS = """
    import numpy as np
    import tilelang
    import tilelang.language as T

    @tilelang.jit(out_idx=[-1])
    def scaled(factor):
        @T.prim_func
        def main(A: T.Tensor((64,), "float32"), B: T.Tensor((64,), "float32")):
            with T.Kernel(1, is_npu=True) as (cid, vid):
                a = T.alloc_shared((64,), "float32")
                T.copy(A, a)
                for i in T.Parallel(64):
                    a[i] = a[i] * factor
                T.copy(a, B)

        return main

    for factor in (2.0, 3.0):
        print(scaled(factor)(np.ones(64, np.float32))[:2])
"""


PRINTS = """
import numpy as np
import hostnpu.tilelang as tilelang
import hostnpu.tilelang.language as T


@T.prim_func
def main(A: T.Tensor((64,), "float32"), B: T.Tensor((64,), "float32")):
    with T.Kernel(1, is_npu=True) as (cid, vid):
        a = T.alloc_ub((64,), "float32")
        if vid == 0:
            T.copy(A, a)
            T.printf("kernel %d\\n", cid)
            T.copy(a, B)


kernel = tilelang.compile(main, out_idx=1)
print("before", flush=True)
kernel(np.ones(64, np.float32))
print("after", flush=True)
"""


def test_what_a_kernel_prints_stands_between_what_the_script_prints_around_the_call(root, tmp_path):
    path = tmp_path / "script.py"
    path.write_text(PRINTS)
    environment = {**os.environ, "PYTHONPATH": str(root / "python")}
    environment.pop("PYTHONUNBUFFERED", None)  # C's standard output would have no buffer either
    ran = subprocess.run([sys.executable, path], capture_output=True, text=True, timeout=300, env=environment)
    assert ran.returncode == 0, ran.stderr
    lines = [line for line in ran.stdout.splitlines() if line.strip()]
    assert [line.split()[-1] for line in lines] == ["before", "0", "after"], ran.stdout
    assert "kernel 0" in lines[1]


def test_the_ir_of_each_kernel_is_shown_after_a_pass(root, tmp_path):
    ran = start("hostnpu.ir", ["--after", "lower_parallel"], TWO_KERNELS, root, tmp_path)
    assert ran.returncode == 0, ran.stderr
    assert ran.stderr == "[2. 2.]\n[3. 3.]\n"
    assert ran.stdout.count("# kernel main after lower_parallel\n") == 2, ran.stdout
    assert "tile.mul a, a, 2.0" in ran.stdout and "parallel" not in ran.stdout.lower().replace("lower_parallel", ""), ran.stdout
    before = start("hostnpu.ir", ["--after", "infer_scopes"], TWO_KERNELS, root, tmp_path).stdout
    assert "parallel" in before.lower() and "tile.mul" not in before, before


def test_a_pass_that_does_not_exist_is_named_with_those_that_do(root, tmp_path):
    ran = start("hostnpu.ir", ["--after", "fuse"], TWO_KERNELS, root, tmp_path)
    assert ran.returncode == 2
    assert ran.stderr == (
        "hostnpu: error: there is no pass 'fuse'; the passes are infer_scopes, lower_parallel, check_streams, "
        "place_buffers\n"
    )


def test_a_module_is_run_with_the_words_behind_it(hostnpu, tmp_path):
    pytest.importorskip("torch")
    (tmp_path / "test_add.py").write_text(
        "import hostnpu, torch, tilelang\n"
        "def test_stand_ins(): assert torch.ones(2).npu().sum() == 2 and tilelang is hostnpu.tilelang\n"
        "def test_left_out(): assert False\n"
    )

    def run(*words):
        return subprocess.run(
            [hostnpu, "run", *words], cwd=tmp_path, capture_output=True, text=True, timeout=240, check=False
        )

    ran = run("-m", "pytest", "-q", "--deselect", "test_add.py::test_left_out", "test_add.py", "--seed", "3")
    assert ran.returncode == 0 and "1 passed, 1 deselected" in ran.stdout, ran.stdout + ran.stderr
    for words, message in (
        (["-m"], "MODULE missing"),
        (["-m", "no_such_module"], "there is no module 'no_such_module'"),
        (["-DX=1", "-m", "pytest"], "'-D' is for sources that clang compiles, but 'pytest' is a module of Python"),
        (["a.asc", "-m", "pytest"], "excludes -m"),
        ([], "file is required"),
    ):
        ran = run(*words)
        assert ran.returncode == 2 and message in ran.stderr, ran.stderr


def test_words_behind_a_script_are_its_own(hostnpu, tmp_path):
    script = tmp_path / "script.py"
    script.write_text("import sys\nprint(sys.argv[1:])\n")
    environment = {**os.environ, "HOSTNPU_PYTHON": sys.executable}

    def words(*arguments):
        command = [str(hostnpu), *arguments]
        ran = subprocess.run(command, capture_output=True, text=True, timeout=300, env=environment)
        return ran.returncode, ran.stdout + ran.stderr

    assert words("run", str(script), "--m", "3", "-h") == (0, "['--m', '3', '-h']\n")
    assert words("run", str(script), "--threads", "2", "--", "--threads", "3") == (0, "['--threads', '3']\n")
    assert words("run", str(script), "--", "--m") == (0, "['--m']\n")
    assert words("ir", str(script), "--after", "lower_parallel", "--m", "3") == (0, "['--m', '3']\n")
    assert words("ir", "--after=lower_parallel", str(script), "a") == (0, "['a']\n")
    code, text = words("ir", str(tmp_path / "kernel.asc"))
    assert code == 2 and "its name does not end in .py" in text


def test_torch_is_as_it_was_without_the_command(root):
    pytest.importorskip("torch")
    environment = {**os.environ, "PYTHONPATH": str(root / "python")}
    code = """
        import hostnpu.tilelang, hostnpu.standin, torch
        from hostnpu.tilelang import kernel
        print(hostnpu.standin.is_active(), kernel.strict_shapes_default, hasattr(torch, "npu"), hasattr(torch.Tensor, "npu"))
        try:
            torch.ones(1, device="npu")
        except RuntimeError:
            print("no npu")
    """
    command = [sys.executable, "-c", textwrap.dedent(code)]
    ran = subprocess.run(command, capture_output=True, text=True, env=environment, timeout=120)
    assert ran.stdout == "False True False False\nno npu\n", ran.stdout + ran.stderr
