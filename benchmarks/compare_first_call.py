# Copyright 2026 The hostnpu Authors
# SPDX-License-Identifier: Apache-2.0
"""From jit(...) to the first result of a TileLang vector add: with an empty cache, and from the cache on disk.

Each is a process of its own; imports and inputs are made before the clock starts. Prints lines of JSON for
tools/bench_table.py.
"""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "python"))

ROUNDS = 5
SIZE, BLOCK = 1024, 128


def seconds_to_the_first_result():
    import numpy as np

    import hostnpu.tilelang as tilelang
    import hostnpu.tilelang.language as T

    @tilelang.jit(out_idx=2)
    def vector_add(size, block):
        @T.prim_func
        def main(
            A: T.Tensor((size, size), "float32"), B: T.Tensor((size, size), "float32"), C: T.Tensor((size, size), "float32")
        ):
            with T.Kernel(size // block * (size // block), is_npu=True) as (cid, vid):
                row = cid // (size // block) * block + vid * block // 2
                col = cid % (size // block) * block
                a = T.alloc_ub((block // 2, block), "float32")
                b = T.alloc_ub((block // 2, block), "float32")
                T.copy(A[row, col], a)
                T.copy(B[row, col], b)
                T.tile.add(a, a, b)
                T.copy(a, C[row, col])

        return main

    a = np.random.default_rng(1).random((SIZE, SIZE), np.float32)
    start = time.perf_counter()
    c = vector_add(SIZE, BLOCK)(a, a)
    seconds = time.perf_counter() - start
    np.testing.assert_array_equal(c, a + a)
    return seconds


def main():
    for _ in range(ROUNDS):
        with tempfile.TemporaryDirectory() as cache:
            environment = {**os.environ, "HOSTNPU_CACHE_DIR": cache}
            for name in ("cold", "cached"):
                child = [sys.executable, __file__, "child"]
                out = subprocess.run(child, env=environment, check=True, stdout=subprocess.PIPE, text=True).stdout
                print(json.dumps({"name": f"tilelang_first_result_{name}/hostnpu", "seconds": float(out)}), flush=True)


if __name__ == "__main__":
    if sys.argv[1:] == ["child"]:
        print(seconds_to_the_first_result())
    else:
        main()
