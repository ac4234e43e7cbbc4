# Copyright 2026 The hostnpu Authors
# SPDX-License-Identifier: Apache-2.0
"""What five workspaces, and a fresh or reused one of 64 MiB, cost without hostnpu: torch and numpy allocate them.

Prints lines of JSON for tools/bench_table.py; the figures of hostnpu are those of workspace_benchmark.
"""

import json
import time

import numpy as np

KIB = 1024


def report(name, work, repetitions):
    times = []
    for _ in range(5):
        start = time.perf_counter()
        for _ in range(repetitions):
            work()
        times.append((time.perf_counter() - start) / repetitions)
    print(json.dumps({"name": name, "seconds": sorted(times)[2]}), flush=True)


def main():
    try:
        import torch
    except ImportError:
        torch = None  # the figures of numpy stand alone then
    if torch is not None:
        report("lease_five_workspaces/torch_empty",
               lambda: [torch.empty(10000 * (i + 1), dtype=torch.uint8) for i in range(5)], 10000)
    report("lease_five_workspaces/numpy_empty", lambda: [np.empty(10000 * (i + 1), np.uint8) for i in range(5)], 10000)

    def fresh():
        np.empty(64 * KIB * KIB, np.uint8)[::4096] = 1

    reused = np.ones(64 * KIB * KIB, np.uint8)

    def touch():
        reused[::4096] = 2

    report("fresh_64mib_arena_touched/numpy_empty", fresh, 5)
    report("reused_64mib_arena_touched/numpy_kept", touch, 100)


if __name__ == "__main__":
    main()
