# Copyright 2026 The hostnpu Authors
# SPDX-License-Identifier: Apache-2.0
"""What stands at the edge of a construct: windows and columns, loops that change their bounds, integers that
wrap, values between two others. One kernel tries many, because compiling is what a test costs."""

import numpy as np
import pytest

pytest.importorskip("hostnpu._native", exc_type=ImportError)

import hostnpu.tilelang as tilelang  # noqa: E402
import hostnpu.tilelang.language as T  # noqa: E402
from hostnpu import KernelError  # noqa: E402
from hostnpu.tilelang.errors import TileLangError  # noqa: E402

RNG = np.random.default_rng(20261130)


def single(*shape):
    return RNG.standard_normal(shape).astype(np.float32)


def refuse(func, *texts, out_idx=-1):
    with pytest.raises(TileLangError) as caught:
        tilelang.compile(func, out_idx=out_idx)
    for text in texts:
        assert text in str(caught.value), str(caught.value)


def test_windows_and_columns_of_a_tile_and_of_gm():
    @T.prim_func
    def main(
        A: T.Tensor((16, 64), "float32"),
        Window: T.Tensor((16, 32), "float32"),
        Column: T.Tensor((16,), "float32"),
        Placed: T.Tensor((16, 8), "float32"),
        Sums: T.Tensor((16, 8), "float32"),
        Spread: T.Tensor((8, 16), "float32"),
    ):
        with T.Kernel(1, is_npu=True) as (cid, vid):
            a = T.alloc_ub((16, 64), "float32")
            w = T.alloc_ub((16, 32), "float32")
            c = T.alloc_ub((16,), "float32")
            p = T.alloc_ub((16, 8), "float32")
            s = T.alloc_ub((16, 8), "float32")
            b = T.alloc_ub((8, 16), "float32")
            T.copy(A, a)
            T.tile.add(w, a[:, 8:40], 1.0)
            T.copy(w, Window)
            T.copy(A[0:16, 10], c)
            T.copy(c, Column)
            T.tile.fill(p, 0.0)
            T.copy(A[3, 0:16], p[0:16, 5])  # a row of GM into a column
            T.copy(p, Placed)
            T.tile.fill(s, 0.0)
            T.reduce_sum(a, s[:, 3:4], dim=-1)
            T.copy(s, Sums)
            for i, j in T.Parallel(8, 16):
                b[i, j] = a[i, j] + a[j, 7]
            T.copy(b, Spread)

    a = single(16, 64)
    window, column, placed, sums, spread = tilelang.compile(main, out_idx=[1, 2, 3, 4, 5])(a)
    np.testing.assert_array_equal(window, a[:, 8:40] + np.float32(1))
    np.testing.assert_array_equal(column, a[:, 10])
    expected = np.zeros((16, 8), np.float32)
    expected[:, 5] = a[3, :16]
    np.testing.assert_array_equal(placed, expected)
    expected = np.zeros((16, 8), np.float64)
    expected[:, 3] = a.astype(np.float64).sum(-1)
    np.testing.assert_allclose(sums, expected, rtol=1e-5, atol=1e-5)
    np.testing.assert_array_equal(spread, a[:8, :16] + a[:, 7])


def test_a_window_of_half_that_starts_between_blocks():
    @T.prim_func
    def main(A: T.Tensor((16, 64), "float16"), Out: T.Tensor((16, 32), "float16")):
        with T.Kernel(1, is_npu=True) as (cid, vid):
            a = T.alloc_ub((16, 64), "float16")
            w = T.alloc_ub((16, 32), "float16")
            T.copy(A, a)
            T.tile.mul(w, a[:, 8:40], 2.0)
            T.copy(w, Out)

    a = single(16, 64).astype(np.float16)
    np.testing.assert_array_equal(tilelang.compile(main, out_idx=1)(a), a[:, 8:40] * np.float16(2))


@pytest.mark.parametrize("width", [126, 1])
def test_rows_that_are_no_multiple_of_32_bytes(width):
    @T.prim_func
    def main(A: T.Tensor((5, width), "float32"), Out: T.Tensor((5, width), "float32")):
        with T.Kernel(1, is_npu=True) as (cid, vid):
            a = T.alloc_ub((5, width), "float32")
            T.copy(A, a)
            T.tile.mul(a, a, 2.0)
            T.copy(a, Out)

    a = single(5, width)
    np.testing.assert_array_equal(tilelang.compile(main, out_idx=1)(a), a * 2)


@pytest.mark.parametrize("explicit", [False, True])
def test_the_last_block_of_a_ragged_length(explicit):
    n, block = 13243, 4096

    @T.prim_func
    def main(A: T.Tensor((n,), "float32"), Out: T.Tensor((n,), "float32")):
        with T.Kernel(T.ceildiv(n, block), is_npu=True) as (cid, vid):
            a = T.alloc_ub((block,), "float32")
            if explicit:
                T.copy(A[cid * block : (cid + 1) * block], a)
            else:
                T.copy(A[cid * block], a)
            T.tile.add(a, a, 1.0)
            if explicit:
                T.copy(a, Out[cid * block : (cid + 1) * block])
            else:
                T.copy(a, Out[cid * block])

    a = single(n)
    np.testing.assert_array_equal(tilelang.compile(main, out_idx=1)(a), a + np.float32(1))


def test_an_operand_that_is_shorter_is_refused():
    @T.prim_func
    def parallel(A: T.Tensor((256,), "float32"), Out: T.Tensor((256,), "float32")):
        with T.Kernel(1, is_npu=True) as (cid, vid):
            a = T.alloc_ub((256,), "float32")
            b = T.alloc_ub((128,), "float32")
            T.copy(A, a)
            T.copy(A[0:128], b)
            for i in T.Parallel(256):
                a[i] = a[i] + b[i]
            T.copy(a, Out)

    refuse(parallel, "T.Parallel reads 'b' at index 255 of dimension 0, which has 128 elements", "'b' is allocated here")

    @T.prim_func
    def before(A: T.Tensor((256,), "float32"), Out: T.Tensor((256,), "float32")):
        with T.Kernel(1, is_npu=True) as (cid, vid):
            a = T.alloc_ub((256,), "float32")
            T.copy(A, a)
            for i in T.Parallel(256):
                a[i - 1] = 0.0
            T.copy(a, Out)

    refuse(before, "T.Parallel writes 'a' at index -1 of dimension 0, which has 256 elements")

    def tile():
        @T.prim_func
        def main(A: T.Tensor((256,), "float32"), Out: T.Tensor((256,), "float32")):
            with T.Kernel(1, is_npu=True) as (cid, vid):
                a = T.alloc_ub((256,), "float32")
                b = T.alloc_ub((128,), "float32")
                T.tile.add(a, a, b)

    with pytest.raises(TileLangError, match="T.tile.add has 256 elements in 'a' and 128 in 'b'"):
        tile()


def test_a_condition_may_keep_a_parallel_loop_inside_a_shorter_tile():
    @T.prim_func
    def main(A: T.Tensor((64,), "float32"), Out: T.Tensor((64,), "float32")):
        with T.Kernel(1, is_npu=True) as (cid, vid):
            a = T.alloc_ub((64,), "float32")
            b = T.alloc_ub((32,), "float32")
            T.copy(A, a)
            T.copy(A[0:32], b)
            for i in T.Parallel(64):
                a[i] = T.if_then_else(i < 32, b[i], 0.0)
            T.copy(a, Out)

    a = single(64)
    expected = np.where(np.arange(64) < 32, a, 0)
    np.testing.assert_array_equal(tilelang.compile(main, out_idx=1)(a), expected)


def test_parallel_copies_that_turn_repeat_or_leave_gm():
    @T.prim_func
    def main(
        A: T.Tensor((8, 8), "float32"),
        Turned: T.Tensor((8, 8), "float32"),
        Diagonal: T.Tensor((8,), "float32"),
        Shifted: T.Tensor((3, 8), "float32"),
        Back: T.Tensor((8, 8), "float32"),
    ):
        with T.Kernel(1, is_npu=True) as (cid, vid):
            a = T.alloc_ub((8, 8), "float32")
            d = T.alloc_ub((8,), "float32")
            for i, j in T.Parallel(8, 8):
                a[i, j] = A[j, i]
            T.copy(a, Turned)
            for i in T.Parallel(8):
                d[i] = A[i, i]
            T.copy(d, Diagonal)
            for i in T.Parallel(8):
                d[i] = A[2, i - 1]
            T.copy(d, Shifted[0, 0])
            for k in T.serial(2):
                for i in T.Parallel(8):
                    d[i] = A[2, k - 1 + i]  # once before the tensor, once inside it
                T.copy(d, Shifted[1 + k, 0])
            for i, j in T.Parallel(8, 8):
                Back[j, i] = a[i, j]

    a = single(8, 8)
    turned, diagonal, shifted, back = tilelang.compile(main, out_idx=[1, 2, 3, 4])(a)
    np.testing.assert_array_equal(turned, a.T)
    np.testing.assert_array_equal(diagonal, a.diagonal())
    before = np.concatenate([[0], a[2, :7]]).astype(np.float32)
    np.testing.assert_array_equal(shifted, [before, before, a[2]])
    np.testing.assert_array_equal(back, a)


def test_a_loop_reads_its_bounds_once():
    @T.prim_func
    def main(Count: T.Tensor((8,), "int32"), Out: T.Tensor((8,), "int32")):
        with T.Kernel(1, is_npu=True) as (cid, vid):
            count = T.alloc_ub((8,), "int32")
            turns = T.alloc_ub((8,), "int32")
            T.copy(Count, count)
            T.tile.fill(turns, 0)
            for i in T.serial(count[0]):
                count[0] = 0
                turns[0] = turns[0] + 1
            T.copy(turns, Out)

    counts = np.array([5, 0, 0, 0, 0, 0, 0, 0], np.int32)
    assert tilelang.compile(main, out_idx=1)(counts)[0] == 5


def test_integers_wrap_and_divide_without_a_trap():
    @T.prim_func
    def main(A: T.Tensor((8,), "int32"), B: T.Tensor((8,), "int32"), Out: T.Tensor((3, 8), "int32")):
        with T.Kernel(1, is_npu=True) as (cid, vid):
            a = T.alloc_ub((8,), "int32")
            b = T.alloc_ub((8,), "int32")
            q = T.alloc_ub((3, 8), "int32")
            T.copy(A, a)
            T.copy(B, b)
            T.tile.div(q[0, :], a, b)
            T.tile.div(q[1, :], a, -1)
            T.tile.mul(q[2, :], a, b)
            T.copy(q, Out)

    a = np.array([-(2**31), 7, -7, 5, 2**30, 1, -1, 0], np.int32)
    b = np.array([-1, 2, 2, 0, 4, 1, 3, 5], np.int32)
    out = tilelang.compile(main, out_idx=2)(a, b)
    np.testing.assert_array_equal(out[0], [-(2**31), 3, -3, 0, 2**28, 1, 0, 0])
    np.testing.assert_array_equal(out[1], [-(2**31), -7, 7, -5, -(2**30), -1, 1, 0])
    np.testing.assert_array_equal(out[2], a * b)


def test_casts_to_half_follow_their_rounding_mode():
    modes = ["CAST_RINT", "CAST_FLOOR", "CAST_CEIL", "CAST_TRUNC", "CAST_ROUND", "CAST_ODD"]

    @T.prim_func
    def main(A: T.Tensor((7,), "float32"), Out: T.Tensor((len(modes), 7), "float16")):
        with T.Kernel(1, is_npu=True) as (cid, vid):
            a = T.alloc_ub((7,), "float32")
            h = T.alloc_ub((7,), "float16")
            T.copy(A, a)
            for m in range(len(modes)):
                T.tile.fill(h, 0.0)
                for mode in modes:
                    if modes.index(mode) == m:
                        T.tile.cast(h, a, mode, 7)
                T.copy(h, Out[m, 0:7])

    step = 2.0**-10  # between halves from 1 on
    a = np.array([1 + step / 2, 1 + step * 1.5, 1 + step / 4, -1 - step / 2, -1 - step / 4, 0.5, 1 + step * 3 / 4], np.float32)
    out = tilelang.compile(main, out_idx=1)(a).astype(np.float64)
    one = [1, 1 + 2 * step, 1, -1, -1, 0.5, 1 + step]
    floor = [1, 1 + step, 1, -1 - step, -1 - step, 0.5, 1]
    ceil = [1 + step, 1 + 2 * step, 1 + step, -1, -1, 0.5, 1 + step]
    trunc = [1, 1 + step, 1, -1, -1, 0.5, 1]
    away = [1 + step, 1 + 2 * step, 1, -1 - step, -1, 0.5, 1 + step]
    odd = [1 + step, 1 + step, 1 + step, -1 - step, -1 - step, 0.5, 1 + step]
    for row, expected, mode in zip(out, [one, floor, ceil, trunc, away, odd], modes):
        np.testing.assert_array_equal(row, expected, err_msg=mode)


def test_sums_of_half_and_bfloat16_are_rounded_once():
    ml_dtypes = pytest.importorskip("ml_dtypes")
    n = 512

    def kernel(dtype):
        @T.prim_func
        def main(A: T.Tensor((4, n), dtype), Out: T.Tensor((4,), dtype)):
            with T.Kernel(1, is_npu=True) as (cid, vid):
                a = T.alloc_ub((4, n), dtype)
                s = T.alloc_ub((4,), dtype)
                T.copy(A, a)
                T.reduce_sum(a, s, dim=-1)
                T.copy(s, Out)

        return tilelang.compile(main, out_idx=1)

    for name, dtype in (("float16", np.float16), ("bfloat16", ml_dtypes.bfloat16)):
        a = np.full((4, n), 1.25, np.float32).astype(dtype)
        np.testing.assert_array_equal(kernel(name)(a).astype(np.float32), np.full(4, 1.25 * n, np.float32), err_msg=name)


def test_a_bool_tile_is_read_as_whether_it_is_set():
    @T.prim_func
    def main(A: T.Tensor((32,), "bool"), Out: T.Tensor((32,), "float32")):
        with T.Kernel(1, is_npu=True) as (cid, vid):
            a = T.alloc_ub((32,), "bool")
            o = T.alloc_ub((32,), "float32")
            T.copy(A, a)
            for i in T.Parallel(32):
                o[i] = T.cast(a[i], "float32") * 3.0
            T.copy(o, Out)

    a = RNG.integers(0, 2, 32).astype(bool)
    np.testing.assert_array_equal(tilelang.compile(main, out_idx=1)(a), np.where(a, np.float32(3), np.float32(0)))


def test_parts_of_matrices_that_no_instruction_takes_are_refused():
    def kernel(body):
        @T.prim_func
        def main(A: T.Tensor((64, 64), "float16"), Out: T.Tensor((64, 64), "float32")):
            with T.Kernel(1, is_npu=True) as (cid, vid):
                a = T.alloc_L1((64, 64), "float16")
                c = T.alloc_L0C((64, 64), "float32")
                T.copy(A, a)
                body(a, c, Out)

        return main

    def part_of_c(a, c, out):
        T.gemm_v0(a[0:32, :], a, c[0:32, :], init=True)
        T.copy(c, out)

    def odd_column(a, c, out):
        T.gemm_v0(a, a, c, init=True)
        T.copy(c[:, 8:24], out[0:64, 0:16])

    refuse(kernel(part_of_c), "T.gemm_v0 takes a whole matrix of L0C, but c[", "is a part of 'c'")
    refuse(kernel(odd_column), "begins at a column that is not a multiple of 16")


@pytest.mark.parametrize("dtype", ["float32", "int8"])
def test_a_left_matrix_that_cannot_be_turned_is_refused_at_its_line(dtype):
    def kernel(multiply, dtype):
        @T.prim_func
        def main(A: T.Tensor((32, 32), dtype), Out: T.Tensor((32, 32), "int32" if dtype == "int8" else "float32")):
            with T.Kernel(1, is_npu=True) as (cid, vid):
                a = T.alloc_L1((32, 32), dtype)
                left = T.alloc_L0A((32, 32), dtype)
                right = T.alloc_L0B((32, 32), dtype)
                c = T.alloc_L0C((32, 32), "int32" if dtype == "int8" else "float32")
                T.copy(A, a)
                multiply(a, left, right, c)
                T.copy(c, Out)

        return main

    def in_one(a, left, right, c):
        T.gemm_v0(a, a, c, transpose_A=True, init=True)

    def by_hand(a, left, right, c):
        T.copy(a, left, transpose=True)
        T.copy(a, right)
        T.mma(left, right, c, init=True)

    refuse(kernel(in_one, dtype), "T.gemm_v0 transposes a left matrix of float16 or bfloat16, but 'a' is " + dtype, "multiply(a, left, right, c)")
    refuse(kernel(by_hand, dtype), "T.copy transposes a left matrix of float16 or bfloat16, but 'a' is " + dtype)
    a = RNG.integers(-9, 9, (32, 32)).astype(np.float16)
    for multiply in (in_one, by_hand):
        got = tilelang.compile(kernel(multiply, "float16"), out_idx=1)(a)
        np.testing.assert_array_equal(got, a.astype(np.float32).T @ a.astype(np.float32))


def test_an_index_beyond_the_real_length_is_caught_however_many_blocks_there_are():
    length = T.symbolic("length")

    @T.prim_func
    def main(Ends: T.Tensor((length,), "int32"), A: T.Tensor((64,), "float32"), Out: T.Tensor((length,), "float32")):
        with T.Kernel(length, is_npu=True) as (cid, vid):
            o = T.alloc_ub((8,), "float32")
            o[0] = A[Ends[cid + 1] - Ends[cid]]  # the last block asks for one more
            T.copy(o[0:1], Out[cid : cid + 1])

    kernel = tilelang.compile(main, out_idx=2)
    for blocks in (1, 3):
        with pytest.raises(KernelError) as caught:
            kernel(np.arange(blocks, dtype=np.int32), single(64))
        assert "[Buffer" in str(caught.value) and '"Ends"' in str(caught.value), str(caught.value)


def test_a_float64_scalar_keeps_its_digits():
    @T.prim_func
    def main(value: T.float64, rest: T.float32, Out: T.Tensor((8,), "float32")):
        with T.Kernel(1, is_npu=True) as (cid, vid):
            o = T.alloc_ub((8,), "float32")
            T.tile.fill(o, 0.0)
            o[0] = T.cast(value - T.cast(1.0, "float64"), "float32")
            o[1] = rest
            T.copy(o, Out)

    got = tilelang.compile(main, out_idx=-1)(1.0 + 2.0**-40, 0.1)
    assert np.asarray(got)[0] == np.float32(2.0**-40)
    assert np.asarray(got)[1] == np.float32(0.1)


def test_more_blocks_than_a_launch_can_name_are_refused_not_cut():
    n = T.symbolic("n")

    @T.prim_func
    def main(A: T.Tensor((n, 8), "float32"), Out: T.Tensor((8,), "float32")):
        with T.Kernel(n * n * n * n, is_npu=True) as (cid, vid):
            o = T.alloc_ub((8,), "float32")
            T.tile.fill(o, 1.0)
            T.copy(o, Out)

    kernel = tilelang.compile(main, out_idx=-1)
    with pytest.raises(KernelError, match="4294967295"):
        kernel(np.zeros((256, 8), np.float32))  # 2^32 blocks
