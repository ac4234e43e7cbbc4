# Copyright 2026 The hostnpu Authors
# SPDX-License-Identifier: Apache-2.0
"""TileLang kernels beside what they stand for: the product of gemm.asc, which is written by hand in Ascend C with the
same tiles and blocks, on one thread; and a flash attention beside the same maths composed from torch operators in
float, on as many threads.

Prints lines of JSON for tools/bench_table.py. Seconds are CPU time of the process, and both sides run by turns and on
the same memory, so that figures of a shared machine can be compared.
"""

import ctypes
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time

# Read when the engine starts, and when numpy loads its BLAS: its idle threads spin, which counts as CPU time.
for setting in ("HOSTNPU_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "OMP_NUM_THREADS"):
    os.environ[setting] = "1"

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent
sys.path.insert(0, str(ROOT / "python"))

import numpy as np  # noqa: E402

import hostnpu.tilelang as tilelang  # noqa: E402
import hostnpu.tilelang.language as T  # noqa: E402

SIZE = 1024
REPETITIONS = 15


def report(group, calls):
    """Runs the variants by turns and prints what each call took."""
    for call in calls.values():
        call()
    for _ in range(REPETITIONS):
        for variant, call in calls.items():
            start = time.process_time()
            call()
            print(json.dumps({"name": f"{group}/{variant}", "seconds": time.process_time() - start}), flush=True)


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


def by_hand():
    """The library of gemm.asc, and its device memory as three arrays."""
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "libgemm.so"
        subprocess.run(["hostnpu", "build", "--shared", HERE / "gemm.asc", "-o", path], check=True)
        library = ctypes.CDLL(str(path))
    library.gemm_allocate.restype = ctypes.c_void_p
    library.gemm_allocate.argtypes = [ctypes.c_uint64]
    library.gemm_run.argtypes = [ctypes.c_void_p] * 3

    def array(dtype):
        size = SIZE * SIZE * np.dtype(dtype).itemsize
        memory = library.gemm_allocate(size)
        if memory is None:
            raise MemoryError("gemm.asc has no device memory")
        return np.frombuffer((ctypes.c_char * size).from_address(memory), dtype).reshape(SIZE, SIZE)

    return library, array(np.float16), array(np.float16), array(np.float32)


def compare_product():
    library, a, b, c = by_hand()
    a[:] = (np.arange(SIZE * SIZE) % 17 / 16).reshape(SIZE, SIZE)
    b[:] = (np.arange(SIZE * SIZE) % 13 / 16).reshape(SIZE, SIZE)
    expected = a.astype(np.float32) @ b.astype(np.float32)
    addresses = [each.ctypes.data for each in (a, b, c)]

    def hand_written():
        if (status := library.gemm_run(*addresses)) != 0:
            raise RuntimeError(f"gemm.asc: error {status}")

    kernel = tilelang.compile(product(), out_idx=2)
    for call in (hand_written, lambda: kernel(a, b, c)):
        c[:] = 0
        call()
        np.testing.assert_allclose(c, expected, rtol=1e-5)
    report("tilelang_gemm_1024_half_one_thread", {"hostnpu": lambda: kernel(a, b, c), "by_hand": hand_written})


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
    report(
        "flash_attention_h12_s1024_d64_one_thread", {"hostnpu": lambda: kernel(q, k, v), "torch_float": composed}
    )


if __name__ == "__main__":
    compare_product()
    compare_attention()
