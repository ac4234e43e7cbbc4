# Copyright 2026 The hostnpu Authors
# SPDX-License-Identifier: Apache-2.0
"""fold_workspaces=True: a workspace with a slice for each block gets as many slices as blocks run at once."""

import numpy as np
import pytest

pytest.importorskip("hostnpu._native", exc_type=ImportError)

import hostnpu.tilelang as tilelang  # noqa: E402
import hostnpu.tilelang.language as T  # noqa: E402
from hostnpu import KernelError, _native  # noqa: E402
from hostnpu.tilelang.errors import TileLangError  # noqa: E402

RNG = np.random.default_rng(20261130)
CHIP = _native.chip()
BLOCK = 64
n = T.symbolic("n")


def pair(func, **options):
    """The kernel as it is, and folded."""
    return [tilelang.compile(func, fold_workspaces=fold, **options) for fold in (False, True)]


def single(*shape):
    return RNG.standard_normal(shape).astype(np.float32)


def rows_of_products(block_count):
    """Out = relu(A B) + A B, in blocks of 32 rows; the product goes from the cube to the vector cores."""

    @T.prim_func
    def main(
        A: T.Tensor((block_count * 32, 64), "float16"),
        B: T.Tensor((64, 32), "float16"),
        product: T.Tensor((block_count, 32, 32), "float32"),
        Out: T.Tensor((block_count * 32, 32), "float32"),
    ):
        with T.Kernel(block_count, is_npu=True) as (cid, vid):
            a = T.alloc_L1((32, 64), "float16")
            b = T.alloc_L1((64, 32), "float16")
            c = T.alloc_L0C((32, 32), "float32")
            x = T.alloc_ub((16, 32), "float32")
            y = T.alloc_ub((16, 32), "float32")
            with T.Scope("C"):
                T.copy(A[cid * 32, 0], a)
                T.copy(B, b)
                T.gemm_v0(a, b, c, init=True)
                T.copy(c, product[cid, 0, 0])
                T.set_cross_flag("FIX", 0)
            with T.Scope("V"):
                T.wait_cross_flag(0)
                T.copy(product[cid, vid * 16, 0], x)
                T.tile.relu(y, x)
                T.tile.add(y, y, x)
                T.copy(y, Out[cid * 32 + vid * 16, 0])

    return main


def test_what_the_cube_hands_to_the_vector_cores_of_its_block_is_folded():
    blocks = 3 * CHIP["aic_count"] + 5
    plain, folded = pair(rows_of_products(blocks), out_idx=-1, workspace_idx=2)
    a = RNG.integers(-4, 5, (blocks * 32, 64)).astype(np.float16)
    b = RNG.integers(-4, 5, (64, 32)).astype(np.float16)
    product = a.astype(np.float32) @ b.astype(np.float32)
    for _ in range(2):
        np.testing.assert_array_equal(folded(a, b), np.maximum(product, 0) + product)
    np.testing.assert_array_equal(plain(a, b), folded(a, b))
    slice_bytes = 32 * 32 * 4
    assert folded.workspace_bytes(declared=True) == plain.workspace_bytes(declared=True) == blocks * slice_bytes
    assert plain.workspace_plan().rows[0]["bytes"] == blocks * slice_bytes
    assert folded.workspace_plan().rows[0]["bytes"] == CHIP["aic_count"] * slice_bytes
    assert folded.workspace_bytes() < plain.workspace_bytes() // 3
    assert "folded" in str(folded.workspace_plan()) and "folded" not in str(plain.workspace_plan())


def test_a_kernel_whose_blocks_run_at_once_is_left_alone():
    plain, folded = pair(rows_of_products(CHIP["aic_count"]), out_idx=-1, workspace_idx=2)
    assert folded.get_kernel_source() == plain.get_kernel_source()
    assert folded.workspace_bytes() == plain.workspace_bytes()


@T.prim_func
def scratch_inside(A: T.Tensor((n, BLOCK), "float32"), Out: T.Tensor((n, BLOCK), "float32")):
    with T.Kernel(n, is_npu=True) as (cid, vid):
        own = T.alloc_workspace((2, BLOCK), "float32")
        a = T.alloc_ub((BLOCK // 2,), "float32")
        b = T.alloc_ub((BLOCK // 2,), "float32")
        T.copy(A[cid, vid * 32], a)
        T.tile.mul(b, a, a)
        T.copy(a, own[0, vid * 32])
        T.copy(b, own[1, vid * 32])
        T.tile.fill(a, 0.0)
        T.copy(own[0, vid * 32], a)
        T.copy(own[1, vid * 32], b)
        T.tile.add(a, a, b)
        T.copy(a, Out[cid, vid * 32])


@T.prim_func
def one_long_scratch(
    A: T.Tensor((n, BLOCK), "float32"), scratch: T.Tensor((n * BLOCK,), "float32"), Out: T.Tensor((n, BLOCK), "float32")
):
    with T.Kernel(n, is_npu=True) as (cid, vid):
        a = T.alloc_ub((16,), "float32")
        row = cid
        for i in T.serial(2):
            start = (vid * 2 + i) * 16
            T.copy(A[row, start], a)
            T.tile.add(a, a, a)
            T.copy(a, scratch[row * BLOCK + start])
        for i in T.serial(2):
            T.copy(scratch[cid * BLOCK + vid * 32 + i * 16], a)
            a[0] = scratch[cid * BLOCK + vid * 32 + i * 16] + 1.0
            T.copy(a, Out[cid, vid * 32 + i * 16])


@pytest.mark.parametrize("func, slices", [(scratch_inside, 2), (one_long_scratch, 1)])
def test_the_number_of_blocks_may_be_known_only_at_the_call(func, slices):
    options = {} if func is scratch_inside else {"workspace_idx": 1}
    plain, folded = pair(func, out_idx=-1, **options)
    at_once = CHIP["aiv_count"] // 2
    for blocks in (0, 1, at_once, at_once + 1, 2 * at_once, 5 * at_once - 1):
        a = single(blocks, BLOCK)
        expected = a + a * a
        if func is one_long_scratch:
            expected = 2 * a
            expected[:, ::16] += 1
        np.testing.assert_array_equal(folded(a), expected)
        np.testing.assert_array_equal(plain(a), expected)
        assert folded.workspace_bytes(a, declared=True) == blocks * slices * BLOCK * 4
        rows = folded.workspace_plan(a).rows
        assert rows[0]["bytes"] == min(blocks, at_once) * slices * BLOCK * 4


def cube_only(block_count):
    @T.prim_func
    def main(
        A: T.Tensor((block_count * 16, 16), "float16"),
        kept: T.Tensor((block_count * 16, 16), "float16"),
        Out: T.Tensor((block_count * 16, 16), "float32"),
    ):
        with T.Kernel(block_count, is_npu=True) as (cid, _):
            a = T.alloc_L1((16, 16), "float16")
            k = T.alloc_L1((16, 16), "float16")
            c = T.alloc_L0C((16, 16), "float32")
            with T.Scope("C"):
                T.copy(A[cid * 16, 0], a)
                T.gemm_v0(a, a, c, init=True)
                T.copy(c, kept[cid * 16, 0])
                T.barrier_all()
                T.copy(kept[cid * 16, 0], k)
                T.gemm_v0(a, k, c, init=True)
                T.copy(c, Out[cid * 16, 0])

    return main


def test_blocks_of_the_cube_alone_are_folded():
    blocks = 2 * CHIP["aic_count"] + 1
    plain, folded = pair(cube_only(blocks), out_idx=-1, workspace_idx=1)
    a = RNG.integers(-2, 3, (blocks * 16, 16)).astype(np.float16)
    cubes = a.reshape(blocks, 16, 16).astype(np.float32)
    np.testing.assert_array_equal(folded(a), (cubes @ (cubes @ cubes)).reshape(-1, 16))
    np.testing.assert_array_equal(plain(a), folded(a))
    assert folded.workspace_plan().rows[0]["shape"] == (CHIP["aic_count"] * 16, 16)


# -- what is refused ----------------------------------------------------------------------------------------------


def through(use, **options):
    @T.prim_func
    def main(
        A: T.Tensor((200, 2, BLOCK), "float32"), W: T.Tensor((200, 2, BLOCK), "float32"), Out: T.Tensor((200, BLOCK), "float32")
    ):
        with T.Kernel(200, is_npu=True) as (cid, vid):
            a = T.alloc_ub((BLOCK,), "float32")
            T.copy(A[cid, 0, 0], a)
            T.copy(a, W[cid, 0, 0])
            use(W, a, cid, vid)
            T.copy(a, Out[cid, 0])

    return tilelang.compile(main, out_idx=2, workspace_idx=1, fold_workspaces=True, **options)


@T.macro
def own_row(W, a, cid, vid):
    T.copy(W[cid, vid, 0], a)


@T.macro
def next_block(W, a, cid, vid):
    T.copy(W[cid + 1, 0, 0], a)


@T.macro
def first_block(W, a, cid, vid):
    T.copy(W[0, 0, 0], a)


@T.macro
def half_the_blocks(W, a, cid, vid):
    T.copy(W[cid // 2, 0, 0], a)


@T.macro
def two_at_once(W, a, cid, vid):
    a[0] = W[cid * 2, 0, 0]


@T.macro
def row_beyond(W, a, cid, vid):
    a[0] = W[cid, vid + 1, 0]


@T.macro
def row_from_memory(W, a, cid, vid):
    a[0] = W[cid, 0, T.cast(a[1], "int32")]


@T.macro
def all_meet(W, a, cid, vid):
    T.sync_all()


@pytest.mark.parametrize(
    "use, why",
    [
        (next_block, "reaches the rows 1 to 1 of a slice of 1"),
        (first_block, "has the first index 0, which is not known to go by the block"),
        (half_the_blocks, "which is not known to go by the block"),
        (two_at_once, "takes slices of 2 rows, and an access before it slices of 1"),
        (row_beyond, "in dimension 1, which is not known to stay inside it"),
        (row_from_memory, "in dimension 2, which is not known to stay inside it"),
        (all_meet, "all blocks wait for each other"),
    ],
)
def test_an_access_that_is_not_seen_to_stay_in_the_slice_of_its_block_is_named(use, why):
    with pytest.raises(TileLangError) as caught:
        through(use)
    text = str(caught.value)
    assert why in text and "fold_workspaces" in text, text
    assert "test_tilelang_fold.py:" in text and "^" in text
    if use is not all_meet:
        assert "its own slice of 'W', but W[" in text


def test_the_innocent_twin_is_folded():
    kernel = through(own_row)
    a = single(200, 2, BLOCK)
    assert kernel.workspace_plan().rows[0]["shape"] == (CHIP["aiv_count"] // 2, 2, BLOCK)
    assert kernel(a).shape == (200, BLOCK)


def test_a_workspace_that_begins_with_contents_is_not_folded():
    with pytest.raises(TileLangError, match="'W' has contents when the kernel begins"):
        through(own_row, workspace_init={"W": "zero"})

    @T.prim_func
    def main(A: T.Tensor((100, BLOCK), "float32"), Out: T.Tensor((100, BLOCK), "float32")):
        with T.Kernel(100, is_npu=True) as (cid, vid):
            own = T.alloc_workspace((BLOCK,), "float32", init="zero")
            a = T.alloc_ub((BLOCK,), "float32")
            T.copy(A[cid, 0], a)
            T.copy(a, own)
            T.copy(own, a)
            T.copy(a, Out[cid, 0])

    with pytest.raises(TileLangError, match="'own' has contents when the kernel begins"):
        tilelang.compile(main, out_idx=1, fold_workspaces=True)


def test_scratch_that_all_blocks_share_stays_as_it_is():
    @T.prim_func
    def main(A: T.Tensor((100, BLOCK), "float32"), Out: T.Tensor((100, BLOCK), "float32")):
        with T.Kernel(100, is_npu=True) as (cid, vid):
            shared = T.alloc_workspace((100, BLOCK), "float32", scope="launch")
            a = T.alloc_ub((BLOCK,), "float32")
            T.copy(A[cid, 0], a)
            T.copy(a, shared[cid, 0])
            T.copy(shared[cid, 0], a)
            T.copy(a, Out[cid, 0])

    kernel = tilelang.compile(main, out_idx=1, fold_workspaces=True)
    a = single(100, BLOCK)
    np.testing.assert_array_equal(kernel(a), a)
    assert kernel.workspace_bytes(declared=True) == 100 * BLOCK * 4 <= kernel.workspace_bytes()


@pytest.mark.parametrize("block", [0, 99])
def test_a_fault_in_a_folded_kernel_names_its_block_and_line(block):
    @T.prim_func
    def main(A: T.Tensor((n,), "float32"), at: T.int32, Out: T.Tensor((100, BLOCK), "float32")):
        with T.Kernel(100, is_npu=True) as (cid, vid):
            own = T.alloc_workspace((BLOCK,), "float32")
            a = T.alloc_ub((BLOCK,), "float32")
            T.tile.fill(a, 1.0)
            if cid == at:
                a[0] = A[1000]
            T.copy(a, own)
            T.copy(own, a)
            T.copy(a, Out[cid, 0])

    kernel = tilelang.compile(main, out_idx=2, fold_workspaces=True)
    with pytest.raises(KernelError, match=r'\[Buffer \d+ "A"\](.|\n)*from test_tilelang_fold.py:\d+'):
        kernel(single(8), block)
    np.testing.assert_array_equal(kernel(single(8), -1), np.ones((100, BLOCK)))
