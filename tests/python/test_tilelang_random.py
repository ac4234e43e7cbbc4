# Copyright 2026 The hostnpu Authors
# SPDX-License-Identifier: Apache-2.0
"""Random programs over copies, tile operations, reductions and products, against numpy.

HOSTNPU_RANDOM_PROGRAMS says how many (a few by default, because each one is compiled).
"""

import os

import numpy as np
import pytest

pytest.importorskip("hostnpu._native", exc_type=ImportError)
hypothesis = pytest.importorskip("hypothesis")

from hypothesis import HealthCheck, given, settings  # noqa: E402
from hypothesis import strategies as st  # noqa: E402

import hostnpu.tilelang as tilelang  # noqa: E402
import hostnpu.tilelang.language as T  # noqa: E402

COUNT = int(os.environ.get("HOSTNPU_RANDOM_PROGRAMS", "3"))
TILES = 3
LIMIT = 64.0

tile = st.integers(0, TILES - 1)
number = st.sampled_from([-2.0, -0.5, 0.25, 1.0, 3.0])
binary = st.sampled_from(["add", "sub", "mul", "max", "min"])
step = st.one_of(
    st.tuples(st.just("binary"), binary, tile, tile, tile),
    st.tuples(st.just("scalar"), binary, tile, tile, number),
    st.tuples(st.just("unary"), st.sampled_from(["abs", "relu"]), tile, tile),
    st.tuples(st.just("copy"), tile, tile),
    st.tuples(st.just("row"), binary, tile, tile, st.integers(0, 100), st.integers(0, 100)),
    st.tuples(st.just("reduce"), st.sampled_from(["sum", "max", "min"]), tile, tile, st.sampled_from([0, 1])),
    st.tuples(st.just("half"), tile, tile),
    st.tuples(st.just("window"), tile, st.integers(0, 100), st.integers(1, 100)),
)
NUMPY = {"add": np.add, "sub": np.subtract, "mul": np.multiply, "max": np.maximum, "min": np.minimum, "relu": lambda x: np.maximum(x, 0), "abs": np.abs}


def statements(step, tiles, spare, A, rows, cols):
    """The operations of one step; runs while the kernel function is read."""
    kind = step[0]
    if kind == "binary":
        _, op, d, x, y = step
        made = [getattr(T.tile, op)(tiles[d], tiles[x], tiles[y])]
    elif kind == "scalar":
        _, op, d, x, value = step
        made = [getattr(T.tile, op)(tiles[d], tiles[x], value)]
    elif kind == "unary":
        _, op, d, x = step
        made = [getattr(T.tile, op)(tiles[d], tiles[x])]
    elif kind == "copy":
        _, d, x = step
        made = [T.copy(tiles[x], tiles[d])]
    elif kind == "row":
        _, op, d, x, i, j = step
        row = tiles[d][i % rows, :]
        made = [getattr(T.tile, op)(row, tiles[x][j % rows, :], row)]
    elif kind == "reduce":
        _, op, d, x, axis = step
        out = spare["column"] if axis == 1 else spare["row"]
        made = [getattr(T, "reduce_" + op)(tiles[x], out, dim=axis), T.tile.broadcast(tiles[d], out)]
    elif kind == "half":
        _, d, x = step
        made = [T.copy(tiles[x], spare["half"]), T.copy(spare["half"], tiles[d])]
    else:
        _, d, start, length = step
        first = start % rows
        last = min(rows, first + length)
        made = [T.copy(A[first:last, 0:cols], tiles[d][first:last, :])]
    bounded = tiles[step[2]] if kind in ("binary", "scalar", "unary", "row", "reduce") else tiles[step[1]]
    return [*made, T.tile.min(bounded, bounded, LIMIT), T.tile.max(bounded, bounded, -LIMIT)]


def reference(program, A, B):
    f = np.float32
    tiles = [A.copy(), B.copy(), np.zeros_like(A)]
    rows = A.shape[0]
    for step in program:
        kind = step[0]
        if kind in ("binary", "scalar"):
            _, op, d, x, y = step
            tiles[d] = NUMPY[op](tiles[x], tiles[y] if kind == "binary" else f(y)).astype(f)
        elif kind == "unary":
            _, op, d, x = step
            tiles[d] = NUMPY[op](tiles[x]).astype(f)
        elif kind == "copy":
            _, d, x = step
            tiles[d] = tiles[x].copy()
        elif kind == "row":
            _, op, d, x, i, j = step
            tiles[d] = tiles[d].copy()
            tiles[d][i % rows] = NUMPY[op](tiles[x][j % rows], tiles[d][i % rows])
        elif kind == "reduce":
            _, op, d, x, axis = step
            reduced = getattr(np, op)(tiles[x].astype(np.float64), axis=axis, keepdims=True).astype(f)
            tiles[d] = np.broadcast_to(reduced, A.shape).copy()
        elif kind == "half":
            _, d, x = step
            tiles[d] = tiles[x].astype(np.float16).astype(f)
        else:
            _, d, start, length = step
            first = start % rows
            last = min(rows, first + length)
            tiles[d] = tiles[d].copy()
            tiles[d][first:last] = A[first:last]
        d = step[2] if kind in ("binary", "scalar", "unary", "row", "reduce") else step[1]
        tiles[d] = np.clip(tiles[d], f(-LIMIT), f(LIMIT))
    return np.stack(tiles)


@settings(max_examples=COUNT, deadline=None, suppress_health_check=list(HealthCheck), derandomize=True, database=None)
@given(st.lists(step, min_size=4, max_size=12), st.integers(1, 20), st.sampled_from([8, 16, 40, 64]), st.integers(0, 2**31))
def test_random_vector_programs(program, rows, cols, seed):
    @T.prim_func
    def main(A: T.Tensor((rows, cols), "float32"), B: T.Tensor((rows, cols), "float32"), Out: T.Tensor((TILES, rows, cols), "float32")):
        with T.Kernel(1, is_npu=True) as (cid, vid):
            tiles = [T.alloc_ub((rows, cols), "float32") for _ in range(TILES)]
            spare = {
                "half": T.alloc_ub((rows, cols), "float16"),
                "row": T.alloc_ub((1, cols), "float32"),
                "column": T.alloc_ub((rows, 1), "float32"),
            }
            T.copy(A, tiles[0])
            T.copy(B, tiles[1])
            T.tile.fill(tiles[2], 0.0)
            for one in program:
                statements(one, tiles, spare, A, rows, cols)
            T.copy(tiles[0], Out[0, :, :])
            T.copy(tiles[1], Out[1, :, :])
            T.copy(tiles[2], Out[2, :, :])

    rng = np.random.default_rng(seed)
    a, b = rng.integers(-8, 9, (2, rows, cols)).astype(np.float32) / 4
    result = tilelang.compile(main, out_idx=2)(a, b)
    np.testing.assert_allclose(result, reference(program, a, b), rtol=2e-3, atol=2e-3, err_msg=str(program))


@settings(max_examples=COUNT, deadline=None, suppress_health_check=list(HealthCheck), derandomize=True, database=None)
@given(
    st.integers(1, 70), st.integers(1, 70), st.integers(1, 70), st.sampled_from([16, 32, 64]), st.booleans(), st.booleans(),
    st.integers(0, 2**31),
)  # fmt: skip
def test_random_products(m, n, k, block, trans_a, trans_b, seed):
    shape_a = (k, m) if trans_a else (m, k)
    shape_b = (n, k) if trans_b else (k, n)

    @T.prim_func
    def main(A: T.Tensor(shape_a, "float16"), B: T.Tensor(shape_b, "float16"), C: T.Tensor((m, n), "float32")):
        with T.Kernel(T.ceildiv(m, block) * T.ceildiv(n, block), is_npu=True) as (cid, _):
            row = cid // T.ceildiv(n, block) * block
            col = cid % T.ceildiv(n, block) * block
            a = T.alloc_L1((block, block), "float16")
            b = T.alloc_L1((block, block), "float16")
            c = T.alloc_L0C((block, block), "float32")
            with T.Scope("C"):
                for i in T.serial(T.ceildiv(k, block)):
                    if trans_a:
                        T.copy(A[i * block, row], a)
                    else:
                        T.copy(A[row, i * block], a)
                    if trans_b:
                        T.copy(B[col, i * block], b)
                    else:
                        T.copy(B[i * block, col], b)
                    T.gemm_v0(a, b, c, transpose_A=trans_a, transpose_B=trans_b, init=(i == 0))
                T.copy(c, C[row, col])

    rng = np.random.default_rng(seed)
    a, b = rng.standard_normal(shape_a).astype(np.float16), rng.standard_normal(shape_b).astype(np.float16)
    expected = (a.T if trans_a else a).astype(np.float64) @ (b.T if trans_b else b).astype(np.float64)
    np.testing.assert_allclose(tilelang.compile(main, out_idx=2)(a, b), expected, rtol=1e-3, atol=1e-3)
