# Copyright 2026 The hostnpu Authors
# SPDX-License-Identifier: Apache-2.0
"""T.annotate_address: where a buffer lies, and buffers that share bytes by turns."""

import numpy as np
import pytest

pytest.importorskip("hostnpu._native", exc_type=ImportError)

import hostnpu.tilelang as tilelang  # noqa: E402
import hostnpu.tilelang.language as T  # noqa: E402

N = 256
AT = 0x20000


def shared(reads_first_again, second=AT, turns=1):
    """Out = 2 * A + B by two buffers pinned at `AT` and `second`; the first may be wanted again after the second."""

    @T.prim_func
    def main(A: T.Tensor((N,), "float32"), B: T.Tensor((N,), "float32"), Out: T.Tensor((N,), "float32")):
        with T.Kernel(1, is_npu=True) as (cid, vid):
            first = T.alloc_ub((N,), "float32")
            other = T.alloc_ub((N,), "float32")
            total = T.alloc_ub((N,), "float32")
            T.annotate_address({first: AT, other: second})
            if vid == 0:
                for _ in T.serial(turns):
                    T.copy(A, first)
                    T.tile.add(total, first, first)
                    T.copy(B, other)
                    T.tile.add(total, total, other)
                    if reads_first_again:
                        T.tile.max(total, total, first)
                    T.copy(total, Out)

    return main


def inputs():
    generator = np.random.default_rng(7)
    return generator.random(N, np.float32), generator.random(N, np.float32) + 4


@pytest.mark.parametrize("turns", [1, 3])
def test_buffers_may_share_bytes_by_turns(turns):
    a, b = inputs()
    kernel = tilelang.compile(shared(False, turns=turns), out_idx=2)
    np.testing.assert_array_equal(kernel(a, b), a + a + b)
    assert kernel.get_kernel_source().count(f", {AT})") == 2


def test_a_buffer_that_is_wanted_after_the_one_over_it_was_written_is_refused_with_both_ranges():
    with pytest.raises(Exception) as caught:
        tilelang.compile(shared(True), out_idx=2)
    text = str(caught.value)
    assert "'first' is read here, but 'other', which T.annotate_address puts over bytes [131072, 132096) of it in UB" in text
    assert "T.tile.max(total, total, first)" in text
    assert "'first' was last used here" in text and "T.tile.add(total, first, first)" in text
    assert "and 'other' written here" in text and "T.copy(B, other)" in text
    assert "pin them apart" in text


@pytest.mark.parametrize("second", [AT + 4 * N, AT - 4 * N])
def test_the_same_buffers_pinned_side_by_side_are_not(second):
    a, b = inputs()
    kernel = tilelang.compile(shared(True, second=second), out_idx=2)
    np.testing.assert_array_equal(kernel(a, b), np.maximum(a + a + b, a))


def test_the_read_of_an_operation_in_place_counts_too():
    @T.prim_func
    def main(A: T.Tensor((N,), "float32"), Out: T.Tensor((N,), "float32")):
        with T.Kernel(1, is_npu=True) as (cid, vid):
            first = T.alloc_ub((N,), "float32")
            other = T.alloc_ub((N,), "float32")
            T.annotate_address({first: AT, other: AT})
            if vid == 0:
                T.copy(A, first)
                T.tile.fill(other, 1.0)
                T.tile.add(first, first, first)
                T.copy(first, Out)

    with pytest.raises(Exception, match="'first' is read here, but 'other'"):
        tilelang.compile(main, out_idx=1)


def test_a_part_of_a_buffer_that_is_written_beside_the_other_one_is_no_overlap():
    @T.prim_func
    def main(A: T.Tensor((N,), "float32"), Out: T.Tensor((N,), "float32")):
        with T.Kernel(1, is_npu=True) as (cid, vid):
            first = T.alloc_ub((N,), "float32")
            other = T.alloc_ub((2 * N,), "float32")
            T.annotate_address({first: AT, other: AT})
            if vid == 0:
                T.copy(A, first)
                T.tile.add(other[N : 2 * N], first, first)  # behind the bytes that both have
                T.tile.add(first, first, other[N : 2 * N])
                T.copy(first, Out)

    a, _ = inputs()
    np.testing.assert_array_equal(tilelang.compile(main, out_idx=1)(a), 3 * a)


def test_one_byte_of_overlap_is_enough():
    with pytest.raises(Exception, match=r"over bytes \[132064, 132096\) of it in UB"):
        tilelang.compile(shared(True, second=AT + 4 * N - 32), out_idx=2)
