# Copyright 2026 The hostnpu Authors
# SPDX-License-Identifier: Apache-2.0
"""The parser: what each form of a kernel function becomes, and where its errors point."""

import textwrap

import pytest

pytest.importorskip("hostnpu._native", exc_type=ImportError)

import hostnpu.tilelang.language as T  # noqa: E402
from hostnpu.tilelang.errors import TileLangError  # noqa: E402


def body(func):
    """The statements of the IR below the header."""
    lines = func.script().splitlines()
    start = next(i for i, line in enumerate(lines) if line.startswith("  launch")) + 1
    return textwrap.dedent("\n".join(line for line in lines[start:] if "alloc " not in line))


def test_a_name_bound_in_a_loop_disappears_with_it():
    @T.prim_func
    def main(A: T.Tensor((64,), "int32")):
        with T.Kernel(4, is_npu=True) as (cid, _):
            a = T.alloc_ub((64,), "int32")
            for i in T.serial(2):
                cid = cid * 2 + i
                a[cid] = 1
            a[cid] = 2

    assert body(main) == (
        "for i in 0:+2\n  cid.1: int32 = cid * 2 + i\n  a[cid.1] = 1\na[cid] = 2"
    )


def test_a_python_condition_folds_and_a_runtime_one_becomes_a_branch():
    flag = True

    @T.prim_func
    def main(A: T.Tensor((64,), "int32")):
        with T.Kernel(4, is_npu=True) as (cid, vid):
            a = T.alloc_ub((64,), "int32")
            if flag:
                a[0] = 1
            else:
                undefined_name()  # noqa: F821
            if cid > 1 and vid == 0:
                a[1] = 2
            else:
                a[1] = 3

    assert body(main) == "a[0] = 1\nif cid > 1 and vid == 0\n  a[1] = 2\nelse\n  a[1] = 3"


def test_a_mutable_scalar_is_stored_and_an_element_is_bound_once():
    @T.prim_func
    def main(A: T.Tensor((64,), "int32")):
        with T.Kernel(1, is_npu=True) as (cid, vid):
            a = T.alloc_ub((64,), "int32")
            n = T.alloc_var("int32", init=3)
            first = a[0]
            a[0] = 9
            n = n + first
            n += 1
            a[n] = n

    assert body(main) == (
        "n[0] = 3\nfirst: int32 = a[0]\na[0] = 9\nn[0] = n[0] + first\nn[0] = n[0] + 1\na[n[0]] = n[0]"
    )


def test_a_copy_takes_its_extent_from_the_side_that_has_one():
    @T.prim_func
    def main(A: T.Tensor((8, 128, 64), "float16")):
        with T.Kernel(8, is_npu=True) as (cid, vid):
            a = T.alloc_ub((32, 64), "float16")
            T.copy(A[cid, vid * 32, 0], a)
            T.copy(a[0:16, :], A[cid, 16:32, :])

    assert body(main) == "copy A[cid, vid * 32:+32, 0:+64] -> a\ncopy a[0:+16, 0:+64] -> A[cid, 16:+16, 0:+64]"


def test_macros_are_hygienic_and_helpers_run_at_parse_time():
    @T.macro
    def scale(tile, factor):
        twice = factor * 2
        T.tile.mul(tile, tile, twice)

    def choose(wide, dst, src):
        return T.tile.cast(dst, src, "CAST_NONE", 64) if wide else T.copy(src, dst)

    @T.prim_func
    def main(A: T.Tensor((64,), "float32")):
        with T.Kernel(1, is_npu=True) as (cid, vid):
            a = T.alloc_ub((64,), "float32")
            h = T.alloc_ub((64,), "float16")
            twice = 5
            scale(a, 1.5)
            choose(True, a, h)
            a[0] = twice

    assert body(main) == 'tile.mul a, a, 3.0\ntile.cast a, h, "CAST_NONE", 64\na[0] = 5.0'


def test_loops_of_every_kind():
    @T.prim_func
    def main(A: T.Tensor((64,), "float32"), n: T.int32):
        with T.Kernel(2, is_npu=True) as (cid, vid):
            a = T.alloc_ub((8, 8), "float32")
            for i in range(1, n):
                a[0, i] = 0
            for i in T.serial(0, 8, 2):
                a[0, i] = 1
            for i, j in T.Parallel(8, 8):
                a[i, j] = a[i, j] + 1.0
            for k in T.Pipelined(4, num_stages=2):
                a[0, k] = 2
            for i, j in T.grid(2, 3):
                a[i, j] = 3
            for x in [1, 5]:
                a[0, x] = x
            while a[0, 0] > 0:
                a[0, 0] -= 1
                if a[0, 0] == 3:
                    break

    text = body(main)
    assert "for i in 1:+(n - 1)\n" in text
    assert "for i.1 in 0:+8 step 2\n" in text
    assert "parallel i.2, j in 8, 8\n  a[i.2, j] = a[i.2, j] + 1.0\n" in text
    assert "pipelined k in 0:+4, stages 2\n" in text
    assert "for i.3 in 0:+2\n  for j.1 in 0:+3\n    a[i.3, j.1] = 3.0\n" in text
    assert "a[0, 1] = 1.0\na[0, 5] = 5.0\n" in text
    assert text.endswith("while a[0, 0] > 0.0\n  a[0, 0] = a[0, 0] - 1.0\n  if a[0, 0] == 3.0\n    break")


def test_symbols_are_collected_in_order_of_appearance():
    m, n = T.symbolic("m"), T.symbolic("n")

    @T.prim_func
    def main(A: T.Tensor((n, m), "float16"), W: T.Tensor(((m + 63) // 64 * 64,), "float32")):
        with T.Kernel(T.ceildiv(m, 64), is_npu=True) as (cid, vid):
            pass

    assert [repr(symbol) for symbol in main.module.symbols()] == ["n", "m"]
    assert "launch (m + 63) // 64 blocks" in main.script()


def test_the_region_of_a_name_is_the_region_itself():
    @T.prim_func
    def main(A: T.Tensor((64,), "float32")):
        with T.Kernel(1, is_npu=True) as (cid, vid):
            a = T.alloc_ub((4, 64), "float32")
            row = a[2, :]
            T.tile.exp(row, row)

    assert body(main) == "tile.exp a[2, 0:+64], a[2, 0:+64]"


def test_an_error_points_at_the_expression_with_a_caret():
    with pytest.raises(AssertionError) as caught:

        @T.prim_func
        def main(A: T.Tensor((64,), "float32")):
            with T.Kernel(1, is_npu=True) as (cid, vid):
                a = T.alloc_ub((256,), "float32")
                b = T.alloc_ub((128,), "float32")
                T.tile.add(a, a, b)

    lines = str(caught.value).splitlines()
    assert lines[0].endswith("error: size must be same: T.tile.add has 256 elements in 'a' and 128 in 'b'")
    assert "test_tilelang_parser.py:" in lines[0]
    assert lines[1].endswith("|                 T.tile.add(a, a, b)")
    assert lines[2].endswith("^" * len("T.tile.add(a, a, b)"))
    assert any("note: 'b' is allocated here with shape (128,) and type float32" in line for line in lines)
    assert isinstance(caught.value, TileLangError)


def expect_error(builtin, text, make):
    with pytest.raises(builtin) as caught:
        make()
    assert text in str(caught.value), str(caught.value)


def test_launch_errors():
    def two_dimensions():
        @T.prim_func
        def main(A: T.Tensor((64,), "float32")):
            with T.Kernel(1, 2, is_npu=True) as (cid, vid):
                pass

    def three_threads():
        @T.prim_func
        def main(A: T.Tensor((64,), "float32")):
            with T.Kernel(1, threads=3, is_npu=True) as cid:
                pass

    expect_error(AssertionError, "NPU kernel must have exactly one block dimension", two_dimensions)
    expect_error(AssertionError, "threads is 3", three_threads)


def test_statements_that_cannot_stand_in_a_kernel():
    def nested():
        @T.prim_func
        def main(A: T.Tensor((64,), "float32")):
            with T.Kernel(1, is_npu=True) as (cid, vid):

                def helper():
                    pass

    def returns():
        @T.prim_func
        def main(A: T.Tensor((64,), "float32")):
            with T.Kernel(1, is_npu=True) as (cid, vid):
                return 3

    def tries():
        @T.prim_func
        def main(A: T.Tensor((64,), "float32")):
            with T.Kernel(1, is_npu=True) as (cid, vid):
                try:
                    pass
                except ValueError:
                    pass

    def loose_break():
        @T.prim_func
        def main(A: T.Tensor((64,), "float32")):
            with T.Kernel(1, is_npu=True) as (cid, vid):
                T.loop_break()

    expect_error(NotImplementedError, "function 'helper' is defined inside a kernel function", nested)
    expect_error(NotImplementedError, "'main' returns a value", returns)
    expect_error(NotImplementedError, "a Try statement cannot stand in a kernel function", tries)
    expect_error(ValueError, "'break' stands outside a loop", loose_break)


def test_copy_and_gemm_errors():
    def shapes():
        @T.prim_func
        def main(A: T.Tensor((64,), "float32")):
            with T.Kernel(1, is_npu=True) as (cid, vid):
                a = T.alloc_ub((128, 64), "float16")
                b = T.alloc_ub((64, 64), "float16")
                T.copy(a, b)

    def no_extent():
        @T.prim_func
        def main(A: T.Tensor((64,), "float32"), B: T.Tensor((64,), "float32")):
            with T.Kernel(1, is_npu=True) as (cid, vid):
                a = T.alloc_ub((64,), "float32")
                T.copy(A[0], a[0])

    def direction():
        @T.prim_func
        def main(A: T.Tensor((64, 64), "float16")):
            with T.Kernel(1, is_npu=True) as (cid, vid):
                a = T.alloc_L1((64, 64), "float16")
                b = T.alloc_ub((64, 64), "float16")
                T.copy(a, b)

    def k_sizes():
        @T.prim_func
        def main(A: T.Tensor((64, 64), "float16")):
            with T.Kernel(1, is_npu=True) as (cid, vid):
                a = T.alloc_L1((64, 32), "float16")
                b = T.alloc_L1((64, 64), "float16")
                c = T.alloc_L0C((64, 64), "float32")
                T.gemm_v0(a, b, c)

    def wrong_core():
        @T.prim_func
        def main(A: T.Tensor((64, 64), "float16")):
            with T.Kernel(1, is_npu=True) as (cid, vid):
                a = T.alloc_ub((64,), "float16")
                with T.Scope("C"):
                    T.tile.exp(a, a)

    expect_error(ValueError, "cannot copy a (128, 64) float16 tile of 'a' into a (64, 64) float16 tile of 'b'", shapes)
    expect_error(AssertionError, "Can't deduce copy extents from args", no_extent)
    expect_error(ValueError, "Unsupported scope: src = L1, dst = UB", direction)
    expect_error(AssertionError, "T.gemm K shape check failed: K_A = 32, K_B = 64", k_sizes)
    expect_error(ValueError, 'T.tile.exp runs on the vector core, but stands in T.Scope("C")', wrong_core)


def test_sizes_that_no_memory_has_are_refused():
    def of(shape):
        def make():
            @T.prim_func
            def main(A: T.Tensor((64,), "float32")):
                with T.Kernel(1, is_npu=True) as (cid, vid):
                    T.alloc_ub(shape, "float32")

        return make

    expect_error(ValueError, "has more than 576460752303423488 elements", of((1 << 40, 1 << 40)))
    expect_error(ValueError, "has more than 576460752303423488 elements", of((1 << 31, 1 << 31, 4)))
    expect_error(ValueError, "has the negative size -4", of((-4, 8)))


def test_options_that_do_not_exist_are_refused():
    def unknown():
        @T.prim_func
        def main(A: T.Tensor((64,), "float32")):
            with T.Kernel(1, is_npu=True) as (cid, vid):
                a = T.alloc_ub((64,), "float32")
                T.copy(A, a, transposed=True)

    def strided():
        T.Tensor((4, 8), "float32", strides=(16, 1))

    expect_error(TypeError, "unexpected keyword argument 'transposed'", unknown)
    with pytest.raises(ValueError, match=r"strides \(16, 1\), but a parameter is row-major: \(8, 1\)"):
        strided()
    assert T.Tensor((4, 8), "float32", strides=(8, 1)).shape == (4, 8)


def test_mode_and_axis_errors():
    def kernel(statement):
        def make():
            @T.prim_func
            def main(A: T.Tensor((64,), "float32")):
                with T.Kernel(1, is_npu=True) as (cid, vid):
                    a = T.alloc_ub((8, 64), "float32")
                    row = T.alloc_ub((64,), "float32")
                    mask = T.alloc_ub((64,), "uint8")
                    statement(a, row, mask)

        return make

    expect_error(AssertionError, "no mode 'CAST_UP'", kernel(lambda a, r, m: T.tile.cast(a, a, "CAST_UP", 8)))
    expect_error(AssertionError, "no mode 'XX'", kernel(lambda a, r, m: T.tile.compare(m, a, a, "XX")))
    expect_error(ValueError, "Cannot broadcast", kernel(lambda a, r, m: T.tile.broadcast(a, m[0:5])))
    expect_error(ValueError, "axis must be 0 or 1", kernel(lambda a, r, m: T.tile.broadcast(a, r, axis=2)))
    expect_error(ValueError, "has no axis 2", kernel(lambda a, r, m: T.reduce_sum(a, r, dim=2)))
    expect_error(ValueError, "gives 8 values", kernel(lambda a, r, m: T.reduce_sum(a, r, dim=-1)))
    expect_error(TypeError, "clear", kernel(lambda a, r, m: T.reduce_sum(a, r, 0, "yes")))
    expect_error(ValueError, "merges 2 to 4 lists", kernel(lambda a, r, m: T.tile.merge_sort(a, r)))
    expect_error(ValueError, "V1 only supports local tensor -> GM", kernel(lambda a, r, m: T.tile.atomic_add(a, r)))


def test_alloc_var_argument_errors():
    def kernel(make_var):
        def make():
            @T.prim_func
            def main(A: T.Tensor((64,), "float32")):
                with T.Kernel(1, is_npu=True) as (cid, vid):
                    make_var()

        return make

    expect_error(TypeError, "Initializer specified multiple times", kernel(lambda: T.alloc_var("int32", 1, init=2)))
    expect_error(TypeError, "at most 3 positional", kernel(lambda: T.alloc_var("int32", 1, "local.var", 3)))
    expect_error(TypeError, "is a string", kernel(lambda: T.alloc_var("int32", 1, 2)))
    expect_error(AttributeError, "T.alloc_ub", kernel(lambda: T.alloc_local((4,), "int32")))


def test_three_nested_parallel_dimensions_are_refused():
    def make():
        @T.prim_func
        def main(A: T.Tensor((64,), "float32")):
            with T.Kernel(1, is_npu=True) as (cid, vid):
                a = T.alloc_ub((4, 8, 8), "float32")
                for i, j, k in T.Parallel(4, 8, 8):
                    a[i, j, k] = 0.0

    expect_error(ValueError, "Unsupported: 3D or higher dimensional parallel loops detected", make)


def test_a_run_time_value_in_a_python_condition_says_so():
    def helper(x):
        return 1 if x > 3 else 2

    def make():
        @T.prim_func
        def main(A: T.Tensor((64,), "float32")):
            with T.Kernel(4, is_npu=True) as (cid, vid):
                a = T.alloc_ub((64,), "float32")
                a[0] = helper(cid)

    expect_error(TypeError, "cid > 3 is known only when the kernel runs", make)


def test_operations_outside_a_kernel_say_so():
    expect_error(ValueError, "T.barrier_all is used outside a kernel function", T.barrier_all)
