# Copyright 2026 The hostnpu Authors
# SPDX-License-Identifier: Apache-2.0
"""Element-wise kernels beside numpy (one thread, out= given), and what compiling a program costs.

Prints lines of JSON for tools/bench_table.py. Both sides run by turns, so that they see the same machine.
"""

import json
import os
import pathlib
import subprocess
import tempfile
import time

import numpy as np

HERE = pathlib.Path(__file__).resolve().parent
LENGTH = 4 * 1024 * 1024
ROUNDS = 3


def report(name, seconds):
    print(json.dumps({"name": name, "seconds": seconds}), flush=True)


def seconds_of(work, repetitions=10):
    times = []
    for _ in range(repetitions):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return sorted(times)[len(times) // 2]


def time_numpy():
    x, y, z = (np.ones(LENGTH, np.float32) for _ in range(3))
    x_half, y_half, z_half = (each.astype(np.float16) for each in (x, y, z))
    report("add_4m_float/numpy", seconds_of(lambda: np.add(x, y, out=z)))
    report("exp_4m_float/numpy", seconds_of(lambda: np.exp(x, out=z)))
    report("add_4m_half/numpy", seconds_of(lambda: np.add(x_half, y_half, out=z_half), 3))


def time_compiling(folder):
    """Lesson 1 compiled: the first program of an empty cache (headers are precompiled then), one that is new to a
    warm cache, and one that is cached. A plain C++ program through the same clang is what there is to compare with."""
    lesson = (HERE.parent / "examples" / "lesson_01_vector_add" / "vector_add.asc").read_text()
    source, plain, out = folder / "lesson.asc", folder / "plain.cc", str(folder / "out")
    plain.write_text('#include <cstdio>\n#include <vector>\nint main() { std::puts("hello"); }\n')
    build = ["hostnpu", "build", str(source), "-o", out]
    for i in range(ROUNDS):
        run(["hostnpu", "cache", "clear"])
        source.write_text(lesson)
        report("compile_first_program/hostnpu", seconds_of(lambda: run(build), 1))
        source.write_text(f"{lesson}\nint new_{i};\n")
        report("compile_new_program/hostnpu", seconds_of(lambda: run(build), 1))
        report("compile_cached_program/hostnpu", seconds_of(lambda: run(build), 5))
        hello = ["clang++-19", "-O2", "-fuse-ld=lld", str(plain), "-o", out]
        report("compile_new_program/clang_hello_world", seconds_of(lambda: run(hello), 1))


def run(command):
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        os.environ["HOSTNPU_CACHE_DIR"] = str(folder / "cache")  # not the one you work with
        run(["hostnpu", "build", str(HERE / "vector.asc"), "-o", str(folder / "vector")])
        for _ in range(ROUNDS):
            print(run([str(folder / "vector")]), end="", flush=True)
            time_numpy()
        time_compiling(folder)


if __name__ == "__main__":
    main()
