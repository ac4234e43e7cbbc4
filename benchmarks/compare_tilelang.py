# Copyright 2026 The hostnpu Authors
# SPDX-License-Identifier: Apache-2.0
"""TileLang kernels beside what they stand for: the product of gemm_benchmark with the same tiles, on one thread,
and a flash attention beside the same maths composed from torch operators in float, on as many threads.

Prints lines of JSON for tools/bench_table.py. Seconds are CPU time of the process, so that figures of a shared
machine can be compared.
"""

import json
import os
import pathlib
import sys
import time

os.environ["HOSTNPU_THREADS"] = "1"  # read when the engine starts

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "python"))

import numpy as np  # noqa: E402

import hostnpu.tilelang as tilelang  # noqa: E402
import hostnpu.tilelang.language as T  # noqa: E402

SIZE = 1024
REPETITIONS = 7


def report(name, call):
    call()
    for _ in range(REPETITIONS):
        start = time.process_time()
        call()
        print(json.dumps({"name": name, "seconds": time.process_time() - start}), flush=True)


def product(block_m=128, block_n=256, block_k=128):
    @T.prim_func
    def main(
        A: T.Tensor((SIZE, SIZE), "float16"), B: T.Tensor((SIZE, SIZE), "float16"), C: T.Tensor((SIZE, SIZE), "float32")
    ):
        with T.Kernel(SIZE // block_m * (SIZE // block_n), is_npu=True) as (cid, _):
            m = cid // (SIZE // block_n) * block_m
            n = cid % (SIZE // block_n) * block_n
            a = T.alloc_L1((block_m, block_k), "float16")
            b = T.alloc_L1((block_k, block_n), "float16")
            c = T.alloc_L0C((block_m, block_n), "float32")
            with T.Scope("C"):
                for k in T.serial(SIZE // block_k):
                    T.copy(A[m, k * block_k], a)
                    T.copy(B[k * block_k, n], b)
                    T.gemm_v0(a, b, c, init=(k == 0))
                T.copy(c, C[m, n])

    return main


def compare_product():
    a = (np.arange(SIZE * SIZE) % 17 / 16).astype(np.float16).reshape(SIZE, SIZE)
    b = (np.arange(SIZE * SIZE) % 13 / 16).astype(np.float16).reshape(SIZE, SIZE)
    kernel = tilelang.compile(product(), out_idx=2)
    np.testing.assert_allclose(kernel(a, b), a.astype(np.float32) @ b.astype(np.float32), rtol=1e-5)
    report("gemm_1024_half_one_thread/tilelang", lambda: kernel(a, b))


def compare_attention():
    try:
        import torch
    except ImportError:
        return
    torch.set_num_threads(1)
    # The lesson imports the package under its public name.
    sys.modules.update({"tilelang": tilelang, "tilelang.language": T})
    sys.path.insert(0, str(ROOT / "examples" / "lesson_07_flash_attention"))
    import flash_attention

    heads, seq, dim = 12, 1024, 64
    q, k, v = (torch.randn(heads, seq, dim).half() for _ in range(3))
    wide = [x.float() for x in (q, k, v)]

    def composed():
        scores = wide[0] @ wide[1].transpose(-1, -2) * dim**-0.5
        return torch.softmax(scores, -1) @ wide[2]

    kernel = flash_attention.flash_attention(heads, seq, dim)
    torch.testing.assert_close(kernel(q, k, v).float(), composed(), rtol=1e-2, atol=1e-2)
    report("flash_attention_h12_s1024_d64_one_thread/hostnpu", lambda: kernel(q, k, v))
    report("flash_attention_h12_s1024_d64_one_thread/torch_float", composed)


if __name__ == "__main__":
    compare_product()
    compare_attention()
