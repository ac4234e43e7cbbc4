# Copyright 2026 The hostnpu Authors
# SPDX-License-Identifier: Apache-2.0
"""What a call of a TileLang kernel costs beyond the kernel: three inputs, one output, five workspaces, nothing to do.

Beside it what a caller without hostnpu does at least: six torch.empty and a C function called by ctypes. Prints lines
of JSON for tools/bench_table.py. Both sides run by turns, in rounds short enough that some are not interrupted.
"""

import ctypes
import json
import pathlib
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "python"))

try:
    import torch
except ImportError:
    sys.exit(0)  # a comparison with torch

import hostnpu.tilelang as tilelang  # noqa: E402
import hostnpu.tilelang.language as T  # noqa: E402

LENGTH = 256
CALLS, ROUNDS = 60, 1000
shape, dtype = (LENGTH,), "float32"


@T.prim_func
def nothing(
    A: T.Tensor(shape, dtype), B: T.Tensor(shape, dtype), C: T.Tensor(shape, dtype), Out: T.Tensor(shape, dtype),
    w0: T.Tensor(shape, dtype), w1: T.Tensor(shape, dtype), w2: T.Tensor(shape, dtype), w3: T.Tensor(shape, dtype),
    w4: T.Tensor(shape, dtype), work: T.int32,
):  # fmt: skip
    with T.Kernel(1, is_npu=True) as (cid, vid):
        a = T.alloc_ub(shape, dtype)
        if work != 0:  # never: but an output has to be written, and a workspace too
            for source in (A, B, C):
                T.copy(source, a)
            for scratch in (w0, w1, w2, w3, w4):
                T.copy(a, scratch)
                T.copy(scratch, a)
            T.copy(a, Out)


def main():
    kernel = tilelang.compile(nothing, out_idx=3, workspace_idx="auto")
    a, b, c = (torch.ones(LENGTH) for _ in range(3))
    function = ctypes.CDLL(None).abs  # does as little, and takes as many arguments as it is given
    function.argtypes = [ctypes.c_void_p] * 9
    empty = torch.empty

    def by_hand():
        tensors = [empty(LENGTH) for _ in range(6)]
        function(a.data_ptr(), b.data_ptr(), c.data_ptr(), *[tensor.data_ptr() for tensor in tensors])
        return tensors[0]

    best = {}
    for _ in range(ROUNDS):
        for variant, call in (("hostnpu", lambda: kernel(a, b, c, 0)), ("six_torch_empty_and_ctypes", by_hand)):
            start = time.perf_counter()
            for _ in range(CALLS):
                call()
            seconds = (time.perf_counter() - start) / CALLS
            best[variant] = min(best.get(variant, seconds), seconds)
    for variant, seconds in best.items():
        print(json.dumps({"name": f"tilelang_call_five_workspaces/{variant}", "seconds": seconds}), flush=True)


if __name__ == "__main__":
    main()
