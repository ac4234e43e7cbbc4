# Copyright 2026 The hostnpu Authors
# SPDX-License-Identifier: Apache-2.0
"""The products of gemm_benchmark by numpy's BLAS on one thread, in float: it has no product of half.

Prints lines of JSON for tools/bench_table.py.
"""

import json
import os
import time

for library in ("OPENBLAS", "MKL", "OMP"):
    os.environ[f"{library}_NUM_THREADS"] = "1"  # read when numpy loads its BLAS

import numpy as np  # noqa: E402

SIZE = 1024


def main():
    a = (np.arange(SIZE * SIZE) % 17 / 16).astype(np.float32).reshape(SIZE, SIZE)
    b = (np.arange(SIZE * SIZE) % 13 / 16).astype(np.float32).reshape(SIZE, SIZE)
    out = np.empty_like(a)
    for _ in range(20):
        start = time.perf_counter()
        np.matmul(a, b, out=out)
        seconds = time.perf_counter() - start
        for name in ("half", "bfloat16"):
            print(json.dumps({"name": f"gemm_1024_{name}_one_thread/numpy_float", "seconds": seconds}), flush=True)


if __name__ == "__main__":
    main()
