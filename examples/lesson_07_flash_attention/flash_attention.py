# Copyright 2026 The hostnpu Authors
# SPDX-License-Identifier: Apache-2.0
"""Flash attention whose cube and vector cores hand tiles to each other through three workspaces.

Each block is one cube core and two vector cores. For every tile of keys the cube core writes the scores
to a workspace, the vector cores turn them into probabilities in a second one, and the cube core writes
the partial output to a third. The caller passes Q, K and V and sees none of this:

    output = attention(q, k, v)

Run it with: hostnpu run examples/lesson_07_flash_attention/flash_attention.py
Try next: a seq of 2048, or workspace_idx="auto" instead of the list.
"""

import time

import torch

import tilelang
import tilelang.language as T

HEADS, SEQ, DIM = 12, 1024, 64


@tilelang.jit(out_idx=[3], workspace_idx=[4, 5, 6])
def flash_attention(heads, seq, dim, block_m=128, block_n=128):
    tiles = seq // block_m
    blocks = heads * tiles
    rows = block_m // 2  # of each vector core
    scale = dim**-0.5

    @T.prim_func
    def main(
            Q: T.Tensor((heads, seq, dim), "float16"),
            K: T.Tensor((heads, seq, dim), "float16"),
            V: T.Tensor((heads, seq, dim), "float16"),
            Output: T.Tensor((heads, seq, dim), "float16"),
            scores: T.Tensor((blocks, block_m, block_n), "float32"),
            probabilities: T.Tensor((blocks, block_m, block_n), "float16"),
            partial: T.Tensor((blocks, block_m, dim), "float32"),
    ):
        with T.Kernel(blocks, is_npu=True) as (cid, vid):
            head = cid // tiles
            first = cid % tiles * block_m
            q_l1 = T.alloc_L1((block_m, dim), "float16")
            kv_l1 = T.alloc_L1((block_n, dim), "float16")
            p_l1 = T.alloc_L1((block_m, block_n), "float16")
            s_l0 = T.alloc_L0C((block_m, block_n), "float32")
            o_l0 = T.alloc_L0C((block_m, dim), "float32")
            s_ub = T.alloc_ub((rows, block_n), "float32")
            p_ub = T.alloc_ub((rows, block_n), "float16")
            o_ub = T.alloc_ub((rows, dim), "float32")
            sum_ub = T.alloc_ub((rows, dim), "float32")
            out_ub = T.alloc_ub((rows, dim), "float16")
            max_ub = T.alloc_ub((rows,), "float32")
            old_ub = T.alloc_ub((rows,), "float32")
            total_ub = T.alloc_ub((rows,), "float32")
            row_ub = T.alloc_ub((rows,), "float32")

            with T.Scope("C"):
                T.copy(Q[head, first, 0], q_l1)
                for n in T.serial(seq // block_n):
                    T.copy(K[head, n * block_n, 0], kv_l1)
                    T.gemm_v0(q_l1, kv_l1, s_l0, transpose_B=True, init=True)
                    T.copy(s_l0, scores[cid, 0, 0])
                    T.set_cross_flag("FIX", 0)
                    T.wait_cross_flag(1)
                    T.copy(probabilities[cid, 0, 0], p_l1)
                    T.copy(V[head, n * block_n, 0], kv_l1)
                    T.gemm_v0(p_l1, kv_l1, o_l0, init=True)
                    T.copy(o_l0, partial[cid, 0, 0])
                    T.set_cross_flag("FIX", 2)

            with T.Scope("V"):
                T.tile.fill(sum_ub, 0.0)
                T.tile.fill(total_ub, 0.0)
                T.tile.fill(max_ub, -30000.0)
                for n in T.serial(seq // block_n):
                    T.wait_cross_flag(0)
                    T.copy(scores[cid, vid * rows, 0], s_ub)
                    T.tile.mul(s_ub, s_ub, scale)
                    T.copy(max_ub, old_ub)
                    T.reduce_max(s_ub, row_ub, dim=-1)
                    T.tile.max(max_ub, max_ub, row_ub)
                    for i in T.serial(rows):
                        T.tile.sub(s_ub[i, :], s_ub[i, :], max_ub[i])
                    T.tile.exp(s_ub, s_ub)
                    T.copy(s_ub, p_ub)
                    T.copy(p_ub, probabilities[cid, vid * rows, 0])
                    T.set_cross_flag("MTE3", 1)
                    # The running sums are scaled to the new maximum while the cube core multiplies.
                    T.tile.sub(old_ub, old_ub, max_ub)
                    T.tile.exp(old_ub, old_ub)
                    T.reduce_sum(s_ub, row_ub, dim=-1)
                    T.tile.mul(total_ub, total_ub, old_ub)
                    T.tile.add(total_ub, total_ub, row_ub)
                    for i in T.serial(rows):
                        T.tile.mul(sum_ub[i, :], sum_ub[i, :], old_ub[i])
                    T.wait_cross_flag(2)
                    T.copy(partial[cid, vid * rows, 0], o_ub)
                    T.tile.add(sum_ub, sum_ub, o_ub)
                for i in T.serial(rows):
                    T.tile.div(sum_ub[i, :], sum_ub[i, :], total_ub[i])
                T.copy(sum_ub, out_ub)
                T.copy(out_ub, Output[head, first + vid * rows, 0])

    return main


def main():
    torch.manual_seed(0)
    q, k, v = (torch.randn(HEADS, SEQ, DIM).half() for _ in range(3))
    attention = flash_attention(HEADS, SEQ, DIM)
    print(attention.workspace_plan())
    output = attention(q, k, v)
    reference = torch.softmax(q.float() @ k.float().transpose(-1, -2) * DIM**-0.5, -1) @ v.float()
    torch.testing.assert_close(output.float(), reference, rtol=1e-2, atol=1e-2)
    times = []
    for _ in range(5):
        begin = time.perf_counter()
        attention(q, k, v)
        times.append(time.perf_counter() - begin)
    flops = 4 * HEADS * SEQ * SEQ * DIM
    best = sorted(times)[len(times) // 2]
    print(f"PASS: flash attention of {HEADS} heads, {SEQ} x {DIM}: {best * 1e3:.1f} ms, "
          f"{flops / best / 1e9:.1f} GFLOP/s")


if __name__ == "__main__":
    main()
