# Copyright 2026 The hostnpu Authors
# SPDX-License-Identifier: Apache-2.0
"""Each construct of the language against numpy, on ragged sizes. One kernel tries many operations, because
compiling is what a test costs."""

import numpy as np
import pytest

pytest.importorskip("hostnpu._native", exc_type=ImportError)

import hostnpu.tilelang as tilelang  # noqa: E402
import hostnpu.tilelang.language as T  # noqa: E402

RNG = np.random.default_rng(20261130)


def half(*shape):
    return RNG.standard_normal(shape).astype(np.float16)


def single(*shape):
    return RNG.standard_normal(shape).astype(np.float32)


UNARY = {
    "exp": np.exp,
    "ln": lambda x: np.log(np.abs(x) + 1),
    "abs": np.abs,
    "sqrt": lambda x: np.sqrt(np.abs(x) + 1),
    "rsqrt": lambda x: 1 / np.sqrt(np.abs(x) + 1),
    "reciprocal": lambda x: 1 / (np.abs(x) + 1),
    "relu": lambda x: np.maximum(x, 0),
    "sigmoid": lambda x: 1 / (1 + np.exp(-x)),
    "silu": lambda x: x / (1 + np.exp(-x)),
    "sin": np.sin,
    "cos": np.cos,
}
POSITIVE = ("ln", "sqrt", "rsqrt", "reciprocal")


@pytest.mark.parametrize("n", [8, 100])
def test_unary_operations(n):
    names = list(UNARY)

    @T.prim_func
    def main(A: T.Tensor((n,), "float32"), Out: T.Tensor((len(names), n), "float32")):
        with T.Kernel(1, is_npu=True) as (cid, vid):
            a = T.alloc_ub((n,), "float32")
            p = T.alloc_ub((n,), "float32")
            out = T.alloc_ub((n,), "float32")
            T.copy(A, a)
            T.tile.abs(p, a)
            T.tile.add(p, p, 1.0)
            for name in names:
                getattr(T.tile, name)(out, p if name in POSITIVE else a)
                T.copy(out, Out[names.index(name), :])

    a = single(n)
    result = tilelang.compile(main, out_idx=1)(a)
    for row, name in zip(result, names):
        np.testing.assert_allclose(row, UNARY[name](a.astype(np.float64)), rtol=2e-5, atol=2e-6, err_msg=name)


def test_binary_operations_with_tiles_and_scalars():
    n = 72

    @T.prim_func
    def main(A: T.Tensor((n,), "float32"), B: T.Tensor((n,), "float32"), Out: T.Tensor((10, n), "float32")):
        with T.Kernel(1, is_npu=True) as (cid, vid):
            a = T.alloc_ub((n,), "float32")
            b = T.alloc_ub((n,), "float32")
            out = T.alloc_ub((10, n), "float32")
            T.copy(A, a)
            T.copy(B, b)
            T.tile.add(out[0, :], a, b)
            T.tile.sub(out[1, :], a, b)
            T.tile.mul(out[2, :], a, b)
            T.tile.div(out[3, :], a, b)
            T.tile.max(out[4, :], a, b)
            T.tile.min(out[5, :], a, b)
            T.tile.sub(out[6, :], a, 1.5)
            T.tile.mul(out[7, :], a, b[3])
            T.tile.fill(out[8, :], 2.0)
            T.tile.axpy(out[8, :], a, 3.0)
            T.tile.fill(out[9, :], 1.0)
            T.tile.mul_add_dst(out[9, :], a, b)
            T.copy(out, Out)

    a, b = single(n), single(n) + 4
    result = tilelang.compile(main, out_idx=2)(a, b)
    f = np.float32
    expected = [a + b, a - b, a * b, a / b, np.maximum(a, b), np.minimum(a, b), a - f(1.5), a * b[3], 2 + 3 * a, 1 + a * b]
    for i, (row, want) in enumerate(zip(result, expected)):
        np.testing.assert_allclose(row, want, rtol=1e-6, atol=1e-6, err_msg=str(i))


@pytest.mark.parametrize("rows, cols", [(1, 8), (5, 24), (17, 63)])
def test_reductions_and_broadcasts(rows, cols):
    wide = (cols + 7) // 8 * 8

    @T.prim_func
    def main(
        A: T.Tensor((rows, cols), "float32"),
        Sum: T.Tensor((rows,), "float32"),
        Max: T.Tensor((rows,), "float32"),
        Columns: T.Tensor((wide,), "float32"),
        Centred: T.Tensor((rows, cols), "float32"),
    ):
        with T.Kernel(1, is_npu=True) as (cid, vid):
            a = T.alloc_ub((rows, wide), "float32")
            s = T.alloc_ub((rows, 1), "float32")
            m = T.alloc_ub((rows,), "float32")
            c = T.alloc_ub((1, wide), "float32")
            full = T.alloc_ub((rows, wide), "float32")
            T.copy(A[0:rows, 0:cols], a, pad_value=-T.infinity("float32"))
            T.reduce_max(a, m, dim=-1)
            T.copy(m, Max)
            T.copy(A[0:rows, 0:cols], a)
            T.reduce_sum(a, s, dim=-1)
            T.copy(s, Sum[0:rows])
            T.reduce_sum(a, c, dim=0)
            T.copy(c, Columns[0:wide])
            T.tile.broadcast(full, s)
            T.tile.sub(a, a, full)
            T.copy(a, Centred[0, 0])

    a = single(rows, cols)
    total, largest, columns, centred = tilelang.compile(main, out_idx=[1, 2, 3, 4])(a)
    np.testing.assert_allclose(total, a.sum(1), rtol=1e-5, atol=1e-5)
    np.testing.assert_array_equal(largest, a.max(1))
    np.testing.assert_allclose(columns[:cols], a.sum(0), rtol=1e-5, atol=1e-5)
    np.testing.assert_allclose(centred, a - a.sum(1, keepdims=True), rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize("m, n, k", [(16, 16, 16), (33, 70, 45), (128, 130, 200)])
@pytest.mark.parametrize("trans", [False, True])
def test_gemm_with_tails(m, n, k, trans):
    bm, bn, bk = 32, 64, 32
    shape_b = (n, k) if trans else (k, n)

    @T.prim_func
    def main(A: T.Tensor((m, k), "float16"), B: T.Tensor(shape_b, "float16"), C: T.Tensor((m, n), "float32")):
        with T.Kernel(T.ceildiv(m, bm) * T.ceildiv(n, bn), is_npu=True) as (cid, _):
            bx = cid // T.ceildiv(n, bn)
            by = cid % T.ceildiv(n, bn)
            a = T.alloc_L1((bm, bk), "float16")
            b = T.alloc_L1((bn, bk) if trans else (bk, bn), "float16")
            c = T.alloc_L0C((bm, bn), "float32")
            with T.Scope("C"):
                for i in T.serial(T.ceildiv(k, bk)):
                    T.copy(A[bx * bm, i * bk], a)
                    if trans:
                        T.copy(B[by * bn, i * bk], b)
                    else:
                        T.copy(B[i * bk, by * bn], b)
                    T.gemm_v0(a, b, c, transpose_B=trans, init=(i == 0))
                T.copy(c, C[bx * bm, by * bn])

    a, b = half(m, k), half(*shape_b)
    expected = a.astype(np.float64) @ (b.T if trans else b).astype(np.float64)
    np.testing.assert_allclose(tilelang.compile(main, out_idx=2)(a, b), expected, rtol=1e-3, atol=1e-3)


@pytest.mark.parametrize("n", [16, 48])
def test_a_product_of_bytes_as_wide_as_an_odd_number_of_fractals(n):
    @T.prim_func
    def main(A: T.Tensor((32, 96), "int8"), B: T.Tensor((96, n), "int8"), Out: T.Tensor((32, n), "int32")):
        with T.Kernel(1, is_npu=True) as (cid, _):
            a = T.alloc_L1((32, 96), "int8")
            b = T.alloc_L1((96, n), "int8")
            c = T.alloc_L0C((32, n), "int32")
            T.copy(A, a)
            T.copy(B, b)
            T.gemm_v0(a, b, c, init=True)
            T.copy(c, Out)

    a = RNG.integers(-128, 128, (32, 96)).astype(np.int8)
    b = RNG.integers(-128, 128, (96, n)).astype(np.int8)
    np.testing.assert_array_equal(tilelang.compile(main, out_idx=2)(a, b), a.astype(np.int32) @ b.astype(np.int32))


def test_copies_of_windows_and_columns():
    rows, cols = 24, 60

    @T.prim_func
    def main(
        A: T.Tensor((rows, cols), "float16"),
        Window: T.Tensor((rows, 32), "float16"),
        Column: T.Tensor((rows, 1), "float16"),
        Odd: T.Tensor((rows, 30), "float16"),
    ):
        with T.Kernel(1, is_npu=True) as (cid, vid):
            w = T.alloc_ub((rows, 32), "float16")
            c = T.alloc_ub((rows, 1), "float16")
            o = T.alloc_ub((rows, 30), "float16")
            T.copy(A[0:rows, 8:40], w)
            T.copy(w, Window)
            T.copy(A[0:rows, 10:11], c)
            T.copy(c, Column)
            T.copy(A[0:rows, 5:35], o)
            T.copy(o, Odd)

    a = half(rows, cols)
    window, column, odd = tilelang.compile(main, out_idx=[1, 2, 3])(a)
    np.testing.assert_array_equal(window, a[:, 8:40])
    np.testing.assert_array_equal(column, a[:, 10:11])
    np.testing.assert_array_equal(odd, a[:, 5:35])


def test_parallel_loops_and_branches():
    rows, cols = 16, 48

    @T.prim_func
    def main(A: T.Tensor((rows, cols), "float32"), B: T.Tensor((cols,), "float32"), Out: T.Tensor((3, rows, cols), "float32")):
        with T.Kernel(1, is_npu=True) as (cid, vid):
            a = T.alloc_ub((rows, cols), "float32")
            b = T.alloc_ub((cols,), "float32")
            out = T.alloc_ub((rows, cols), "float32")
            T.copy(A, a)
            T.copy(B, b)
            for i, j in T.Parallel(rows, cols):
                out[i, j] = T.exp(a[i, j]) * b[j] + 0.5
            T.copy(out, Out[0, :, :])
            for i, j in T.Parallel(rows, cols):
                if a[i, j] > 0.0:
                    out[i, j] = a[i, j]
                else:
                    out[i, j] = -b[j]
            T.copy(out, Out[1, :, :])
            for i in T.serial(rows):
                for j in T.Parallel(cols):
                    out[i, j] = T.max(a[i, j], b[j])
            T.copy(out, Out[2, :, :])

    a, b = single(rows, cols), single(cols)
    result = tilelang.compile(main, out_idx=2)(a, b)
    np.testing.assert_allclose(result[0], np.exp(a) * b + 0.5, rtol=1e-5, atol=1e-6)
    np.testing.assert_array_equal(result[1], np.where(a > 0, a, -b))
    np.testing.assert_array_equal(result[2], np.maximum(a, b))


def test_cube_and_vector_work_together_through_a_workspace():
    m = n = k = 32

    @T.prim_func
    def main(
        A: T.Tensor((4, m, k), "float16"),
        B: T.Tensor((4, k, n), "float16"),
        Out: T.Tensor((4, m, n), "float32"),
        ws: T.Tensor((4, m, n), "float32"),
    ):
        with T.Kernel(4, is_npu=True) as (cid, vid):
            a = T.alloc_L1((m, k), "float16")
            b = T.alloc_L1((k, n), "float16")
            c = T.alloc_L0C((m, n), "float32")
            ub = T.alloc_ub((m // 2, n), "float32")
            with T.Scope("C"):
                T.copy(A[cid, 0:m, 0:k], a)
                T.copy(B[cid, 0:k, 0:n], b)
                T.gemm_v0(a, b, c, init=True)
                T.copy(c, ws[cid, 0:m, 0:n])
                T.set_cross_flag("FIX", 0)
            with T.Scope("V"):
                T.wait_cross_flag(0)
                T.copy(ws[cid, vid * (m // 2) : vid * (m // 2) + m // 2, 0:n], ub)
                T.tile.relu(ub, ub)
                T.copy(ub, Out[cid, vid * (m // 2), 0])

    a, b = half(4, m, k), half(4, k, n)
    kernel = tilelang.compile(main, out_idx=2, workspace_idx="auto")
    assert kernel.workspaces == ["ws"]
    expected = np.maximum(np.matmul(a.astype(np.float64), b.astype(np.float64)), 0)
    np.testing.assert_allclose(kernel(a, b), expected, rtol=1e-3, atol=1e-3)


def test_integers_casts_and_masks():
    n = 256

    @T.prim_func
    def main(A: T.Tensor((n,), "float32"), I: T.Tensor((n,), "int32"), Picked: T.Tensor((n,), "float32"), H: T.Tensor((n,), "float16")):
        with T.Kernel(1, is_npu=True) as (cid, vid):
            a = T.alloc_ub((n,), "float32")
            zero = T.alloc_ub((n,), "float32")
            i = T.alloc_ub((n,), "int32")
            h = T.alloc_ub((n,), "float16")
            mask = T.alloc_ub((n // 8,), "uint8")
            T.copy(A, a)
            T.tile.cast(i, a, "CAST_RINT", n)
            T.copy(i, I)
            T.tile.fill(zero, 0.0)
            T.tile.compare(mask, a, zero, "GT")
            T.tile.select(zero, mask, a, -1.0, "VSEL_TENSOR_SCALAR_MODE")
            T.copy(zero, Picked)
            T.copy(a, h)
            T.copy(h, H)

    a = single(n) * 10
    integers, picked, halves = tilelang.compile(main, out_idx=[1, 2, 3])(a)
    np.testing.assert_array_equal(integers, np.rint(a).astype(np.int32))
    np.testing.assert_array_equal(picked, np.where(a > 0, a, np.float32(-1)))
    np.testing.assert_array_equal(halves, a.astype(np.float16))
