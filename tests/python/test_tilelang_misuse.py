# Copyright 2026 The hostnpu Authors
# SPDX-License-Identifier: Apache-2.0
"""What a user gets wrong when a kernel is declared, compiled or planned, and what the error says."""

import inspect
import os

import numpy as np
import pytest

pytest.importorskip("hostnpu._native", exc_type=ImportError)

import hostnpu  # noqa: E402
import hostnpu.tilelang as tilelang  # noqa: E402
import hostnpu.tilelang.language as T  # noqa: E402
from tilelang_kernels import refuse  # noqa: E402

BLOCK = 64
n = T.symbolic("n")
padded = (n + 63) // 64 * 64


@T.prim_func
def twice(scratch: T.Tensor((padded,), "float32"), A: T.Tensor((n,), "float32"), Out: T.Tensor((n,), "float32")):
    with T.Kernel(T.ceildiv(n, BLOCK), is_npu=True) as (cid, vid):
        a = T.alloc_ub((BLOCK,), "float32")
        if vid == 0:
            T.copy(A[cid * BLOCK], a)
            T.tile.add(a, a, a)
            T.copy(a, scratch[cid * BLOCK])
            T.copy(scratch[cid * BLOCK], a)
            T.copy(a, Out[cid * BLOCK])


def compile_twice(**options):
    return tilelang.compile(twice, **{"out_idx": 2, "workspace_idx": 0, **options})


@pytest.fixture(scope="module")
def kernel():
    return compile_twice()


# -- declaring ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("index", [2, -1, [2], (2,), range(2, 3), np.int64(2), [np.int32(-1)]])
def test_an_index_may_be_any_integer_or_a_sequence_of_them(index):
    assert compile_twice(out_idx=index).out_idx == [2]


@pytest.mark.parametrize("index", [2.0, [2.0], {2}, "2", True, [None]])
def test_what_is_no_index_is_refused(index):
    refuse(lambda: compile_twice(out_idx=index), TypeError, "out_idx", repr(index[0] if isinstance(index, list) else index))


def test_workspace_init_is_a_dict_that_names_each_workspace_once():
    refuse(lambda: compile_twice(workspace_init="zero"), TypeError, "workspace_init is a dict", "'zero'")
    refuse(lambda: compile_twice(workspace_init=["zero"]), TypeError, "workspace_init is a dict")
    refuse(lambda: compile_twice(workspace_init={0: "zero", "scratch": 1.0}), ValueError, "'scratch' twice (0 and 'scratch')")
    refuse(lambda: compile_twice(workspace_init={0: 1e300}), ValueError, "workspace_init of 'scratch'", "float32", "1e+300")


@pytest.mark.parametrize(
    "dtype, good, bad",
    [
        ("int8", [-128, 127], [128, -129, 0.5]),
        ("uint8", [255], [256, -1]),
        ("int32", [2**31 - 1], [2**31, float("nan")]),
        ("float16", [65504, float("inf")], [65505]),
        ("float8_e4m3", [], [1.0]),
    ],
)
def test_a_workspace_is_filled_only_with_what_its_type_holds(dtype, good, bad):
    from hostnpu.tilelang.language import workspace_contents

    for value in good:
        assert workspace_contents(value, "init", dtype) == ("value", value)
    for value in bad:
        refuse(lambda: workspace_contents(value, "init", dtype), ValueError, "init is a number that")
    assert workspace_contents(0, "init", dtype) == ("zero", 0.0)


def test_options_that_are_no_switch_are_refused():
    refuse(lambda: compile_twice(strict_shapes="no"), ValueError, "strict_shapes", "'no'")
    refuse(lambda: compile_twice(fold_workspaces="yes"), ValueError, "fold_workspaces", "'yes'")
    refuse(lambda: compile_twice(pass_configs=["tl.Simplify"]), TypeError, "pass_configs is a dict")
    refuse(lambda: compile_twice(compile_flags=[1]), TypeError, "compile_flags holds strings")


def test_compile_flags_reach_the_compiler():
    refuse(lambda: compile_twice(compile_flags="-fno-such-flag"), tilelang.CompileError, "-fno-such-flag")
    np.testing.assert_array_equal(compile_twice(compile_flags=["-O1"])(np.ones(3, np.float32)), 2)


def test_compile_and_jit_have_the_same_options():
    own = {"func", "debug", "debug_root_path"}
    assert set(inspect.signature(tilelang.compile).parameters) - own == set(inspect.signature(tilelang.jit).parameters) - own


def test_the_texts_of_a_kernel_are_kept_where_debug_root_path_says(tmp_path):
    @tilelang.jit(out_idx=2, workspace_idx=0, debug_root_path=tmp_path / "texts")
    def factory():
        return twice

    kernel = factory()
    assert (tmp_path / "texts" / "factory.asc").read_text() == kernel.get_kernel_source()
    assert (tmp_path / "texts" / "factory.tir").read_text() == twice.script()


def test_an_option_that_autotune_does_not_have_is_named():
    refuse(lambda: tilelang.autotune(configs=[{}], ref_porg=None), TypeError, "no option 'ref_porg'")
    tuner = tilelang.autotuner.AutoTuner.from_kernel(lambda: None, [])
    refuse(lambda: tuner.set_profile_args(skip_chek=True), TypeError, "no option 'skip_chek'")


def test_a_factory_tells_equal_numbers_of_different_types_apart():
    seen = []

    @tilelang.jit(out_idx=2, workspace_idx=0)
    def factory(value, pair=()):
        seen.append(value)
        return twice

    for value in (1, 1.0, True, 1):
        factory(value)
    assert [type(value) for value in seen] == [int, float, bool]
    assert factory(1, pair=(1, 2)) is not factory(1, pair=(1.0, 2))


# -- planning -----------------------------------------------------------------------------------------------------


def test_the_plan_takes_shapes_and_tensors_and_names_what_is_neither(kernel):
    assert kernel.workspace_bytes((100,)) == kernel.workspace_bytes(np.zeros(100)) == kernel.workspace_bytes([100]) == 512 + 512
    assert kernel.workspace_bytes((0,)) == 0
    refuse(lambda: kernel.workspace_plan(100), TypeError, "parameter 'A'", "100 is given")
    refuse(lambda: kernel.workspace_plan("abc"), TypeError, "parameter 'A'", "'abc' is given")
    refuse(lambda: kernel.workspace_plan((1.5,)), TypeError, "parameter 'A'", "(1.5,) is given")
    refuse(lambda: kernel.workspace_plan((100, 2)), ValueError, "parameter 'A'", "(100, 2)")
    refuse(lambda: kernel.workspace_plan((-5,)), ValueError, "parameter 'A'", "-5")
    refuse(lambda: kernel.workspace_plan((2**70,)), ValueError, "parameter 'A'", str(2**70))
    refuse(lambda: kernel.workspace_plan((5,), (5,)), ValueError, "each of the 1 input (A)", "2 are given")


def test_sizes_that_no_memory_holds_are_refused_by_the_plan_and_by_the_call():
    @T.prim_func
    def main(A: T.Tensor((n,), "float32"), ws: T.Tensor((n * n, n * n, n * n), "float32"), Out: T.Tensor((8,), "float32")):
        with T.Kernel(1, is_npu=True) as (cid, vid):
            a = T.alloc_ub((8,), "float32")
            T.copy(A[0], a)
            T.copy(a, ws[0, 0, 0])
            T.copy(ws[0, 0, 0], a)
            T.copy(a, Out)

    kernel = tilelang.compile(main, out_idx=2, workspace_idx=1)
    # 2048^6 elements: 2^68 bytes, which is 0 in 64 bits.
    refuse(lambda: kernel.workspace_plan((2048,)), ValueError, "'ws'", "more than")
    refuse(lambda: kernel(np.zeros(2048, np.float32)), ValueError, "'ws'", "more than")
    assert kernel.workspace_bytes((4,), declared=True) == 4**6 * 4


# -- running ------------------------------------------------------------------------------------------------------


def test_a_fault_names_the_line_of_the_script():
    @T.prim_func
    def main(A: T.Tensor((1024,), "float32"), Out: T.Tensor((8,), "float32")):
        with T.Kernel(1, is_npu=True) as (cid, vid):
            a = T.alloc_ub((8,), "float32")
            if vid == 0:
                T.tile.fill(a, 0.0)
                T.copy(A[1000], a)  # the line
                T.copy(a, Out)

    lines, first = inspect.getsourcelines(test_a_fault_names_the_line_of_the_script)
    line = first + next(at for at, text in enumerate(lines) if "# the line" in text)
    kernel = tilelang.compile(main, out_idx=1, strict_shapes=False)
    with pytest.warns(UserWarning, match="parameter 'A'"):
        refuse(lambda: kernel(np.ones(24, np.float32)), hostnpu.KernelError, '"A"', f"from {os.path.basename(__file__)}:{line}\n")


def test_an_array_that_is_read_only_is_not_written():
    in_place = tilelang.compile(twice)  # no roles: all three are passed, and two are written
    a, out, scratch = (np.ones(64, np.float32) for _ in range(3))
    a.flags.writeable = False
    in_place(scratch, a, out)
    np.testing.assert_array_equal(out, 2)
    out.flags.writeable = False
    refuse(lambda: in_place(scratch, a, out), ValueError, "parameter 'Out'", "read-only, but the kernel writes it")


# -- known pains --------------------------------------------------------------------------------------------------


def test_a_workspace_and_an_output_may_stand_before_the_input_that_fixes_their_size(kernel):
    for size in (1, 63, 65, 200):
        a = np.arange(size, dtype=np.float32)
        np.testing.assert_array_equal(kernel(a), 2 * a)


def test_the_wrong_output_is_named_with_what_is_written_instead():
    @T.prim_func
    def main(A: T.Tensor((64,), "float32"), B: T.Tensor((64,), "float32"), C: T.Tensor((64,), "float32")):
        with T.Kernel(1, is_npu=True) as (cid, vid):
            a = T.alloc_ub((64,), "float32")
            b = T.alloc_ub((64,), "float32")
            T.copy(A, a)
            T.copy(B, b)
            T.tile.add(a, a, b)
            T.copy(a, C)

    refuse(
        lambda: tilelang.compile(main, out_idx=[-2]),
        ValueError,
        "parameter 1 'B' of kernel 'main' is declared output but is read before any write; 'C' is an input but written",
        "out_idx=[2]",
    )


def five_workspaces(names):
    """One kernel whose five workspaces stand at 4 to 8 and have these names."""
    first, second, third, fourth, fifth = names
    source = f"""
@T.prim_func
def main(Q: V, K: V, I: V, Output: V, {first}: V, {second}: V, {third}: V, {fourth}: V, {fifth}: V):
    with T.Kernel(1, is_npu=True) as (cid, vid):
        a = T.alloc_ub((64,), "float32")
        b = T.alloc_ub((64,), "float32")
        if vid == 0:
            T.copy(Q, a)
            for source in (K, I):
                T.copy(source, b)
                T.tile.add(a, a, b)
            for scratch in ({", ".join(names)}):
                T.copy(a, scratch)
                T.copy(scratch, a)
            T.copy(a, Output)
"""
    import linecache

    path = f"<five workspaces {names}>"
    linecache.cache[path] = (len(source), None, source.splitlines(True), path)
    namespace = {"T": T, "V": T.Tensor((64,), "float32")}
    exec(compile(source, path, "exec"), namespace)
    return namespace["main"]


def test_one_workspace_too_few_in_the_list_is_named_with_the_list_that_is_right():
    kernel = tilelang.compile(five_workspaces([f"workspace_{at}" for at in range(1, 6)]), out_idx=[3], workspace_idx=[4, 5, 6, 7])
    q = np.ones(64, np.float32)
    refuse(
        lambda: kernel(q, q, q),
        ValueError,
        "parameter 8 `workspace_5` is neither passed nor declared",
        "workspace_idx=[4, 5, 6, 7, 8] would be right",
    )


@pytest.mark.parametrize("names", [["ws_dv", "dq", "out", "_y", "indices"], [f"workspace_{at}" for at in range(5)]])
def test_what_is_a_workspace_does_not_hang_on_its_name(names):
    kernel = tilelang.compile(five_workspaces(names), out_idx=[3], workspace_idx="auto")
    assert kernel.workspaces == names
    q = np.arange(64, dtype=np.float32)
    np.testing.assert_array_equal(kernel(q, q, q), 3 * q)


def test_scratch_inside_the_kernel_is_sized_for_each_launch_and_never_returned():
    @T.prim_func
    def main(A: T.Tensor((n,), "float32"), Out: T.Tensor((n,), "float32")):
        with T.Kernel(T.ceildiv(n, BLOCK), is_npu=True) as (cid, vid):
            scratch = T.alloc_workspace((padded,), "float32", scope="launch")
            a = T.alloc_ub((BLOCK,), "float32")
            if vid == 0:
                T.copy(A[cid * BLOCK], a)
                T.copy(a, scratch[cid * BLOCK])
                T.copy(scratch[cid * BLOCK], a)
                T.copy(a, Out[cid * BLOCK])

    kernel = tilelang.compile(main, out_idx=-1)
    for size in (5, 1000, 64):
        a = np.arange(size, dtype=np.float32)
        result = kernel(a)
        assert isinstance(result, np.ndarray)
        np.testing.assert_array_equal(result, a)
        assert kernel.workspace_bytes((size,), declared=True) == (size + 63) // 64 * 64 * 4


def test_a_call_without_inputs_needs_neither_torch_nor_numpy(tmp_path):
    import subprocess
    import sys

    script = tmp_path / "script.py"
    script.write_text(
        """
import sys
sys.modules["torch"] = sys.modules["numpy"] = None  # as if they were not installed
import hostnpu
import hostnpu.tilelang as tilelang
import hostnpu.tilelang.language as T

@T.prim_func
def main(Out: T.Tensor((8,), "float32")):
    with T.Kernel(1, is_npu=True) as (cid, vid):
        a = T.alloc_ub((8,), "float32")
        T.tile.fill(a, 2.0)
        T.copy(a, Out)

result = tilelang.compile(main, out_idx=0)()
assert isinstance(result, hostnpu.Tensor)
print(result)
"""
    )
    environment = {**os.environ, "PYTHONPATH": os.path.dirname(os.path.dirname(hostnpu.__file__))}
    ran = subprocess.run([sys.executable, script], capture_output=True, text=True, env=environment, timeout=300)
    assert ran.stdout == "hostnpu.Tensor(shape=(8,), dtype=float32)\n", ran.stdout + ran.stderr
