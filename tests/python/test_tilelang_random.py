# Copyright 2026 The hostnpu Authors
# SPDX-License-Identifier: Apache-2.0
"""Random programs over copies, tile operations, reductions and products, against numpy.

Compiling is what they cost, so one kernel holds many programs, each in a block of its own with shapes, types and
buffers of its own. HOSTNPU_RANDOM_PROGRAMS says how many programs to try at least (a few by default).
"""

import os

import numpy as np
import pytest

pytest.importorskip("hostnpu._native", exc_type=ImportError)
hypothesis = pytest.importorskip("hypothesis")

from hypothesis import HealthCheck, Phase, given, settings  # noqa: E402
from hypothesis import strategies as st  # noqa: E402

import hostnpu.tilelang as tilelang  # noqa: E402
import hostnpu.tilelang.language as T  # noqa: E402

VECTORS, PRODUCTS = 12, 4  # programs in one kernel
KERNELS = -(-int(os.environ.get("HOSTNPU_RANDOM_PROGRAMS", "25")) // (VECTORS + PRODUCTS))
TILES = 3
ROWS, COLS = 20, 64  # the largest tile
LIMIT = 64

# derandomize: the same programs in every run of the same count. The first example is the simplest there is. A program
# that fails is not made smaller: the message has it, and each attempt would have to be compiled.
THOROUGH = settings(
    max_examples=KERNELS + 1, deadline=None, suppress_health_check=list(HealthCheck), derandomize=True, database=None,
    phases=[Phase.generate],
)  # fmt: skip

# -- vector programs ----------------------------------------------------------------------------------------------

tile = st.integers(0, TILES - 1)
place = st.integers(0, 100)
binary = st.sampled_from(["add", "sub", "mul", "max", "min"])
exact_steps = [
    st.tuples(st.just("binary"), tile, binary, tile, tile),
    st.tuples(st.just("scalar"), tile, binary, tile, st.sampled_from([-2, -1, 3, 5])),
    st.tuples(st.just("unary"), tile, st.sampled_from(["abs", "relu"]), tile),
    st.tuples(st.just("copy"), tile, tile),
    st.tuples(st.just("fill"), tile, st.sampled_from([-3, 0, 7])),
    st.tuples(st.just("row"), tile, binary, tile, place, place),
    st.tuples(st.just("window"), tile, place, st.integers(1, 100)),
    st.tuples(st.just("corner"), tile, place, place),
    st.tuples(st.just("parallel"), tile, tile, tile, tile),
    st.tuples(st.just("repeat"), tile, binary, tile, st.integers(0, 3)),
]
float_steps = [
    *exact_steps,
    st.tuples(st.just("reduce"), tile, st.sampled_from(["max", "min"]), tile, st.sampled_from([0, 1])),
    st.tuples(st.just("select"), tile, tile, tile),
]
single_steps = [
    *float_steps[:-1],  # a choice between values that were rounded is not the reference's choice
    st.tuples(st.just("reduce"), tile, st.just("sum"), tile, st.sampled_from([0, 1])),
    st.tuples(st.just("scalar"), tile, binary, tile, st.sampled_from([-0.5, 0.25])),
    st.tuples(st.just("half"), tile, tile),
    st.tuples(st.just("exp"), tile, tile),
    st.tuples(st.just("divide"), tile, tile, tile),
    st.tuples(st.just("axpy"), tile, tile, st.sampled_from([-0.5, 2.0])),
]
STEPS = {"float32": single_steps, "float16": float_steps, "int32": exact_steps}


@st.composite
def vector_program(draw):
    dtype = draw(st.sampled_from(list(STEPS)))
    rows, cols = draw(st.integers(1, ROWS)), draw(st.sampled_from([8, 16, 40, 64]))
    steps = draw(st.lists(st.one_of(STEPS[dtype]), min_size=3, max_size=8))
    return dtype, rows, cols, steps


def bounded(buffer):
    """Keeps the values where the types are exact, and the errors small."""
    return [T.tile.min(buffer, buffer, LIMIT), T.tile.max(buffer, buffer, -LIMIT)]


def statements(step, tiles, spare, source):
    """The operations of one step; runs while the kernel function is read."""
    kind, d, *rest = step
    dst = tiles[d]
    rows, cols = dst.shape
    if kind == "binary":
        op, x, y = rest
        made = [getattr(T.tile, op)(dst, tiles[x], tiles[y])]
    elif kind == "scalar":
        op, x, value = rest
        made = [getattr(T.tile, op)(dst, tiles[x], value)]
    elif kind == "unary":
        op, x = rest
        made = [getattr(T.tile, op)(dst, tiles[x])]
    elif kind == "copy":
        made = [T.copy(tiles[rest[0]], dst)]
    elif kind == "fill":
        made = [T.tile.fill(dst, rest[0])]
    elif kind == "row":
        op, x, i, j = rest
        row = dst[i % rows, :]
        made = [getattr(T.tile, op)(row, tiles[x][j % rows, :], row)]
    elif kind == "window":
        first = rest[0] % rows
        last = min(rows, first + rest[1])
        made = [T.copy(source[first:last, 0:cols], dst[first:last, :])]
    elif kind == "corner":
        # Reaches beyond the source: what lies outside is filled with 0.
        made = [T.copy(source[rest[0] % (2 * ROWS), rest[1] % (2 * COLS)], dst)]
    elif kind == "reduce":
        op, x, axis = rest
        out = spare["column"] if axis == 1 else spare["row"]
        made = [getattr(T, "reduce_" + op)(tiles[x], out, dim=axis), T.tile.broadcast(dst, out)]
    elif kind == "select":
        x, y = rest
        made = [T.tile.compare(spare["mask"], tiles[x], tiles[y], "GT"), T.tile.add(spare["same"], tiles[x], 1)]
        made += [T.tile.select(dst, spare["mask"], spare["same"], tiles[y], "VSEL_TENSOR_TENSOR_MODE")]
    elif kind == "half":
        made = [T.copy(tiles[rest[0]], spare["half"]), T.copy(spare["half"], dst)]
    elif kind == "exp":
        made = [T.tile.min(dst, tiles[rest[0]], 4.0), T.tile.max(dst, dst, -4.0), T.tile.exp(dst, dst)]
    elif kind == "divide":
        x, y = rest
        made = [T.tile.abs(spare["same"], tiles[y]), T.tile.add(spare["same"], spare["same"], 1.0)]
        made += [T.tile.div(dst, tiles[x], spare["same"])]
    else:
        made = [T.tile.axpy(dst, tiles[rest[0]], rest[1])]
    return [*made, *bounded(dst)]


NUMPY = {"add": np.add, "sub": np.subtract, "mul": np.multiply, "max": np.maximum, "min": np.minimum}


def expected(step, tiles, source, rows, cols):
    """The new contents of the step's destination."""
    kind, d, *rest = step
    old = tiles[d]
    f = old.dtype.type
    if kind in ("binary", "scalar", "repeat"):
        op, x, y = rest
        if kind != "repeat":
            return NUMPY[op](tiles[x], tiles[y] if kind == "binary" else f(y))
        for _ in range(y):
            old = np.clip(NUMPY[op](old, tiles[x] if x != d else old), f(-LIMIT), f(LIMIT))
        return old
    if kind == "unary":
        return np.abs(tiles[rest[1]]) if rest[0] == "abs" else np.maximum(tiles[rest[1]], f(0))
    if kind == "copy":
        return tiles[rest[0]]
    if kind == "fill":
        return np.full_like(old, rest[0])
    if kind == "reduce":
        op, x, axis = rest
        wide = tiles[x].astype(np.float64)
        return np.broadcast_to(getattr(np, op)(wide, axis=axis, keepdims=True).astype(f), old.shape)
    if kind == "select":
        x, y = rest
        return np.where(tiles[x] > tiles[y], tiles[x] + f(1), tiles[y])
    if kind == "half":
        return tiles[rest[0]].astype(np.float16).astype(f)
    if kind == "exp":
        return np.exp(np.clip(tiles[rest[0]], f(-4), f(4)))
    if kind == "divide":
        return tiles[rest[0]] / (np.abs(tiles[rest[1]]) + f(1))
    if kind == "axpy":
        return old + f(rest[1]) * tiles[rest[0]]
    if kind == "parallel":
        x, y = rest[0], rest[1]
        return tiles[x] * f(2) - tiles[y]
    new = old.copy()
    if kind == "row":
        op, x, i, j = rest
        new[i % rows] = NUMPY[op](tiles[x][j % rows], new[i % rows])
    elif kind == "window":
        first = rest[0] % rows
        last = min(rows, first + rest[1])
        new[first:last] = source[first:last, :cols]
    else:
        new[:] = 0
        part = source[rest[0] % (2 * ROWS) :, rest[1] % (2 * COLS) :][:rows, :cols]
        new[: part.shape[0], : part.shape[1]] = part
    return new


def run_reference(program, A, B):
    dtype, rows, cols, steps = program
    f = np.dtype(dtype).type
    source = A.astype(dtype)
    tiles = [source[:rows, :cols].copy(), B.astype(dtype)[:rows, :cols].copy(), np.zeros((rows, cols), dtype)]
    for step in steps:
        new = expected(step, tiles, source, rows, cols)
        tiles[step[1]] = np.clip(new, f(-LIMIT), f(LIMIT)).astype(dtype)
    return np.stack(tiles).astype(np.float32)


@THOROUGH
@given(st.lists(vector_program(), min_size=VECTORS, max_size=VECTORS), st.integers(0, 2**31))
def test_random_vector_programs(programs, seed):
    @T.prim_func
    def main(
        A16: T.Tensor((2 * ROWS, 2 * COLS), "float16"), B16: T.Tensor((ROWS, COLS), "float16"),
        A32: T.Tensor((2 * ROWS, 2 * COLS), "float32"), B32: T.Tensor((ROWS, COLS), "float32"),
        AInt: T.Tensor((2 * ROWS, 2 * COLS), "int32"), BInt: T.Tensor((ROWS, COLS), "int32"),
        Out16: T.Tensor((VECTORS, TILES, ROWS, COLS), "float16"),
        Out32: T.Tensor((VECTORS, TILES, ROWS, COLS), "float32"),
        OutInt: T.Tensor((VECTORS, TILES, ROWS, COLS), "int32"),
    ):  # fmt: skip
        with T.Kernel(VECTORS, is_npu=True) as (cid, vid):
            for number, (dtype, rows, cols, steps) in enumerate(programs):
                A, B, Out = {"float16": (A16, B16, Out16), "float32": (A32, B32, Out32), "int32": (AInt, BInt, OutInt)}[dtype]
                if cid == number and vid == number % 2:
                    tiles = [T.alloc_ub((rows, cols), dtype) for _ in range(TILES)]
                    spare = {
                        "same": T.alloc_ub((rows, cols), dtype),
                        "half": T.alloc_ub((rows, cols), "float16"),
                        "row": T.alloc_ub((1, cols), dtype),
                        "column": T.alloc_ub((rows, 1), dtype),
                        "mask": T.alloc_ub((rows * cols // 8,), "uint8"),
                    }
                    T.copy(A[0:rows, 0:cols], tiles[0])
                    T.copy(B[0:rows, 0:cols], tiles[1])
                    T.tile.fill(tiles[2], 0)
                    for step in steps:
                        if step[0] == "parallel":
                            for i, j in T.Parallel(rows, cols):
                                tiles[step[1]][i, j] = tiles[step[2]][i, j] * 2 - tiles[step[3]][i, j]
                            bounded(tiles[step[1]])
                        elif step[0] == "repeat":
                            for _ in T.serial(step[4]):
                                getattr(T.tile, step[2])(tiles[step[1]], tiles[step[1]], tiles[step[3]])
                                bounded(tiles[step[1]])
                        else:
                            statements(step, tiles, spare, A)
                    for at, one in enumerate(tiles):
                        T.copy(one, Out[number, at, 0:rows, 0:cols])

    rng = np.random.default_rng(seed)
    a, b = (rng.integers(-8, 9, shape).astype(np.float32) / 4 for shape in ((2 * ROWS, 2 * COLS), (ROWS, COLS)))
    inputs = [array.astype(dtype) for dtype in ("float16", "float32", "int32") for array in (a, b)]
    outputs = {dtype: np.zeros((VECTORS, TILES, ROWS, COLS), dtype) for dtype in ("float16", "float32", "int32")}
    tilelang.compile(main)(*inputs, *outputs.values())  # no out_idx: a type may have no program
    for number, program in enumerate(programs):
        dtype, rows, cols, _ = program
        result = outputs[dtype][number, :, :rows, :cols].astype(np.float32)
        tolerance = 2e-3 if dtype == "float32" else 0
        np.testing.assert_allclose(result, run_reference(program, a, b), rtol=tolerance, atol=tolerance, err_msg=str(program))


# -- products -----------------------------------------------------------------------------------------------------

size = st.integers(1, 70)


def product(dtype):
    """m, n, k, block, whether A is transposed, whether B is."""
    # The transpose of a left operand is for two-byte types only.
    trans_a = st.booleans() if dtype == "float16" else st.just(False)
    return st.tuples(size, size, size, st.sampled_from([16, 32, 64]), trans_a, st.booleans())


@st.composite
def product_kernel(draw):
    dtype = draw(st.sampled_from(["float16", "float32"]))
    return dtype, draw(st.lists(product(dtype), min_size=PRODUCTS, max_size=PRODUCTS))


def shapes(m, n, k, block, trans_a, trans_b):
    return (k, m) if trans_a else (m, k), (n, k) if trans_b else (k, n), (m, n)


@THOROUGH
@given(product_kernel(), st.integers(0, 2**31))
def test_random_products(kernel, seed):
    dtype, products = kernel
    (a0, b0, c0), (a1, b1, c1), (a2, b2, c2), (a3, b3, c3) = (shapes(*one) for one in products)

    @T.prim_func
    def main(
        A0: T.Tensor(a0, dtype), B0: T.Tensor(b0, dtype), A1: T.Tensor(a1, dtype), B1: T.Tensor(b1, dtype),
        A2: T.Tensor(a2, dtype), B2: T.Tensor(b2, dtype), A3: T.Tensor(a3, dtype), B3: T.Tensor(b3, dtype),
        C0: T.Tensor(c0, "float32"), C1: T.Tensor(c1, "float32"), C2: T.Tensor(c2, "float32"), C3: T.Tensor(c3, "float32"),
    ):  # fmt: skip
        with T.Kernel(PRODUCTS, is_npu=True) as (cid, _):
            with T.Scope("C"):
                for number, (A, B, C) in enumerate([(A0, B0, C0), (A1, B1, C1), (A2, B2, C2), (A3, B3, C3)]):
                    if cid == number:
                        m, n, k, block, trans_a, trans_b = products[number]
                        a = T.alloc_L1((block, block), dtype)
                        b = T.alloc_L1((block, block), dtype)
                        c = T.alloc_L0C((block, block), "float32")
                        for row, col in T.grid(T.ceildiv(m, block), T.ceildiv(n, block)):
                            for i in T.serial(T.ceildiv(k, block)):
                                if trans_a:
                                    T.copy(A[i * block, row * block], a)
                                else:
                                    T.copy(A[row * block, i * block], a)
                                if trans_b:
                                    T.copy(B[col * block, i * block], b)
                                else:
                                    T.copy(B[i * block, col * block], b)
                                T.gemm_v0(a, b, c, transpose_A=trans_a, transpose_B=trans_b, init=(i == 0))
                            T.copy(c, C[row * block, col * block])

    rng = np.random.default_rng(seed)
    inputs = [rng.standard_normal(shape).astype(dtype) for one in products for shape in shapes(*one)[:2]]
    results = tilelang.compile(main, out_idx=[8, 9, 10, 11])(*inputs)
    for one, a, b, result in zip(products, inputs[::2], inputs[1::2], results):
        want = (a.T if one[4] else a).astype(np.float64) @ (b.T if one[5] else b).astype(np.float64)
        np.testing.assert_allclose(result, want, rtol=1e-3, atol=1e-3, err_msg=str(one))
