# Copyright 2026 The hostnpu Authors
# SPDX-License-Identifier: Apache-2.0
"""Workspaces of TileLang calls come from the pool of the runtime: its report, its poison and its checks reach them."""

import inspect
import os
import subprocess
import sys

import numpy as np
import pytest

pytest.importorskip("hostnpu._native", exc_type=ImportError)

import hostnpu  # noqa: E402
import hostnpu.tilelang as tilelang  # noqa: E402
import hostnpu.tilelang.language as T  # noqa: E402
from tilelang_kernels import counter_func  # noqa: E402


def relay_func(rows):
    """Out = A by way of `first` and then `second`, both of 4 rows, of which `rows` are used."""

    @T.prim_func
    def main(
        A: T.Tensor((4, 128), "float32"),
        first: T.Tensor((4, 128), "float32"),
        second: T.Tensor((4, 128), "float32"),
        Out: T.Tensor((4, 128), "float32"),
    ):
        with T.Kernel(1, is_npu=True) as (cid, vid):
            a = T.alloc_ub((1, 128), "float32")
            if vid == 0:
                for k in range(rows):
                    T.copy(A[k % 4, 0], a)
                    T.copy(a, first[k, 0])
                for k in range(4):
                    T.copy(first[k, 0], a)
                    T.copy(a, second[k, 0])
                    T.copy(second[k, 0], a)
                    T.copy(a, Out[k, 0])

    return main


HEAD = "import numpy\nimport hostnpu.tilelang as tilelang\nimport hostnpu.tilelang.language as T\n"
COUNT = """kernel = tilelang.compile(counter_func(), out_idx=[0], workspace_idx=[1], workspace_init={})
print(kernel()[7], kernel()[7])
"""
RELAY = """kernel = tilelang.compile(relay_func(4), out_idx=[3], workspace_idx=[1, 2])
a = numpy.arange(512, dtype=numpy.float32).reshape(4, 128)
print((kernel(a) == a).all(), (kernel(a) == a).all())
"""


@pytest.fixture
def run(root, hostnpu, tmp_path):
    """Runs functions of this file and a script after them under the command, in a process of its own."""

    def run(functions, script, *options, **variables):
        path = tmp_path / "script.py"
        path.write_text(HEAD + "".join(inspect.getsource(function) for function in functions) + script)
        environment = {**os.environ, "PYTHONPATH": str(root / "python"), **variables}
        command = [hostnpu, "run", *options, path] if options else [sys.executable, path]
        return subprocess.run(command, capture_output=True, text=True, env=environment, timeout=300)

    return run


def test_the_report_says_what_calls_reserved_and_touched(run):
    ran = run([relay_func], RELAY, "--workspace-report")
    assert ran.stdout == "True True\n", ran.stderr
    assert "workspace of main: reserved 4.1 kB, touched 100 %" in ran.stderr
    for name in ("first", "second"):
        assert f"{name} (2 launches)" in ran.stderr
    half = run([relay_func], RELAY.replace("relay_func(4)", "relay_func(2)"), "--workspace-report")
    assert "workspace of main: reserved 4.1 kB, touched 50 %" in half.stderr


@pytest.mark.parametrize("init, plain, poisoned", [({1: "undefined"}, None, "nan nan\n"), ({1: "zero"}, "1.0 1.0\n", "1.0 1.0\n")])
def test_a_workspace_that_is_read_before_it_is_written_is_poison_on_request(run, init, plain, poisoned):
    script = COUNT.format(init)
    assert run([counter_func], script, "--poison").stdout == poisoned
    assert run([counter_func], script, HOSTNPU_UNDEFINED="poison").stdout == poisoned
    assert run([counter_func], script, "--undefined", "zero").stdout == "1.0 1.0\n"
    if plain is not None:
        assert run([counter_func], script).stdout == plain


def test_a_persistent_zero_workspace_left_dirty_raises_with_its_first_byte_and_is_zero_again():
    kernel = tilelang.compile(counter_func(), out_idx=[0], workspace_idx=[1], workspace_init={"counter": "persistent-zero"})
    for _ in range(2):
        with pytest.raises(hostnpu.WorkspaceError) as caught:
            kernel()
        text = str(caught.value)
        # 1.0f is 00 00 80 3f.
        assert '"counter"] is persistent-zero, but kernel "main" leaves byte 2 as 0x80; 16 of 32 bytes are not zero.' in text


def test_an_overrun_from_one_workspace_into_the_next_is_named():
    @T.prim_func
    def main(
        row: T.int32,
        first: T.Tensor((4, 128), "float32"),
        second: T.Tensor((4, 128), "float32"),
        Out: T.Tensor((8,), "float32"),
    ):
        with T.Kernel(1, is_npu=True) as (cid, vid):
            a = T.alloc_ub((1, 128), "float32")
            if vid == 0:
                T.tile.fill(a, 3.0)
                for k in range(4):
                    T.copy(a, first[k, 0])
                    T.copy(a, second[k, 0])
                a[0, 0] = first[row, 0]
                a[0, 1] = second[row - 1, 0]
                T.copy(a[0, 0:8], Out[0])

    kernel = tilelang.compile(main, out_idx=[3], workspace_idx=[1, 2])
    np.testing.assert_array_equal(kernel(3), 3)
    with pytest.raises(hostnpu.KernelError) as caught:
        kernel(4)
    text = str(caught.value)
    assert "reads 4 bytes at offset 2048 of [Buffer" in text and '"first"], which has 2048 bytes' in text, text
    np.testing.assert_array_equal(kernel(1), 3)


def test_the_plan_is_the_one_that_calls_use():
    kernel = tilelang.compile(
        relay_func(4), out_idx=[3], workspace_idx=[1, 2], workspace_init={"second": "persistent-zero"}
    )
    (first, second) = kernel.workspace_plan()
    assert (first["offset"], first["persistent"]) == (0, False)
    assert (second["offset"], second["persistent"]) == (0, True)
    assert kernel.workspace_bytes() == 2 * (2048 + 512)
    assert "persistent-zero, in a block of its own" in str(kernel.workspace_plan())
    shared = tilelang.compile(relay_func(4), out_idx=[3], workspace_idx=[1, 2])
    offsets = sorted(row["offset"] for row in shared.workspace_plan())
    assert offsets == [0, 2048 + 512]


def test_a_launch_without_blocks_leaves_no_workspace_for_the_next():
    n = T.symbolic("n")

    @T.prim_func
    def main(A: T.Tensor((n,), "float32"), ws: T.Tensor((64,), "float32"), Out: T.Tensor((n,), "float32")):
        with T.Kernel(T.ceildiv(n, 64), is_npu=True) as (cid, vid):
            a = T.alloc_ub((64,), "float32")
            if vid == 0:
                T.copy(A[cid * 64], a)
                T.copy(a, ws[0])
                T.copy(a, Out[cid * 64])

    kernel = tilelang.compile(main, out_idx=[2], workspace_idx=[1])
    assert kernel(np.zeros(0, np.float32)).shape == (0,)
    np.testing.assert_array_equal(kernel(np.ones(64, np.float32)), 1)
