# Copyright 2026 The hostnpu Authors
# SPDX-License-Identifier: Apache-2.0
"""Parts that leave their buffer: refused at the line that names them where the numbers are known, caught when the
kernel runs where they are not. Beside each stands the last part that is still inside."""

import numpy as np
import pytest

pytest.importorskip("hostnpu._native", exc_type=ImportError)

import hostnpu.tilelang as tilelang  # noqa: E402
import hostnpu.tilelang.language as T  # noqa: E402
from hostnpu import KernelError  # noqa: E402
from hostnpu.tilelang.errors import TileLangError  # noqa: E402

ROWS, COLS = 4, 64


def kernel_of(use, row, col):
    @T.prim_func
    def main(A: T.Tensor((ROWS, COLS), "float32"), Out: T.Tensor((ROWS, COLS), "float32")):
        with T.Kernel(1, is_npu=True) as (cid, vid):
            a = T.alloc_ub((ROWS, COLS), "float32")
            T.copy(A, a)
            use(A, a, row, col)
            T.copy(a, Out)

    return tilelang.compile(main, out_idx=1)


@T.macro
def load(A, a, row, col):
    a[0, 0] = a[row, col]


@T.macro
def store(A, a, row, col):
    a[row, col] = 7.0


@T.macro
def copied(A, a, row, col):
    T.copy(A[0:1, 0:8], a[row, col])


@T.macro
def added(A, a, row, col):
    T.tile.add(a[row, col : col + 8], a[0, 0:8], 1.0)


@pytest.mark.parametrize("use, width", [(load, 1), (store, 1), (copied, 8), (added, 8)])
def test_a_part_on_the_chip_that_leaves_its_buffer_is_refused(use, width):
    last = COLS - width
    for row, col, dim in ((ROWS, 0, 0), (0, last + 1, 1), (0, COLS, 1)):
        with pytest.raises(TileLangError) as caught:
            kernel_of(use, row, col)
        assert f"of dimension {dim}, which has {(ROWS, COLS)[dim]} elements" in str(caught.value), str(caught.value)
        assert "'a' is accessed at" in str(caught.value) and "a[row, col" in str(caught.value)
    kernel_of(use, ROWS - 1, last)


@T.macro
def before(A, a, row, col):
    T.copy(A[row, col], a[0:1, 0:16])


def test_a_copy_does_not_begin_before_the_first_element_of_gm(capfd):
    with pytest.raises(TileLangError, match=r"A\[.* begins at index -8 of dimension 1"):
        kernel_of(before, 0, T.int32(-8))

    @T.prim_func
    def main(A: T.Tensor((256,), "float32"), guarded: T.int32, Out: T.Tensor((256,), "float32")):
        with T.Kernel(4, is_npu=True) as (cid, vid):
            a = T.alloc_ub((64,), "float32")
            T.tile.fill(a, 0.0)
            if guarded == 0 or cid > 0:
                T.copy(A[cid * 64 - 32], a)  # block 0 would begin before A
            if vid == 0:
                T.copy(a, Out[cid * 64])

    a = np.arange(256, dtype=np.float32) + 1
    kernel = tilelang.compile(main, out_idx=2)
    np.testing.assert_array_equal(kernel(a, 1), np.concatenate([np.zeros(64), a[32:224]]))
    with pytest.raises(KernelError, match=r"start >= 0(.|\n)*from test_tilelang_bounds.py:\d+"):
        kernel(a, 0)
    assert "a copy begins at index -32 of a dimension of 256" in capfd.readouterr().out


def test_a_copy_of_nothing_may_begin_anywhere():
    @T.prim_func
    def main(A: T.Tensor((64,), "float32"), start: T.int32, count: T.int32, Out: T.Tensor((64,), "float32")):
        with T.Kernel(1, is_npu=True) as (cid, vid):
            a = T.alloc_ub((64,), "float32")
            T.tile.fill(a, 3.0)
            T.copy(A[start : start + count], a[0:count])
            T.copy(a, Out)

    kernel = tilelang.compile(main, out_idx=3)
    np.testing.assert_array_equal(kernel(np.zeros(64, np.float32), -8, 0), np.full(64, 3, np.float32))
