#!/usr/bin/env python3
# Copyright 2026 The hostnpu Authors
# SPDX-License-Identifier: Apache-2.0
"""Runs the benchmarks and writes one table: medians side by side, and their ratios.

Sources of figures, all run one after the other, so that they see the same machine:

  <build>/bin/benchmarks/*        Google Benchmark programs, as JSON; the median of their repetitions
  benchmarks/compare_*.py         print one JSON object a line: {"name": "group/variant", "seconds": 0.1}

A name is "group/variant": the variants of a group stand in one row. The variant "hostnpu" is what the
others are compared with; a ratio over 1 says that hostnpu is faster.

  tools/bench_table.py --build build/release [--out benchmarks/out] [--only TEXT] [--repetitions N]
"""

import argparse
import datetime
import json
import os
import pathlib
import platform
import re
import statistics
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
OURS = "hostnpu"
UNIT_SECONDS = {"ns": 1e-9, "us": 1e-6, "ms": 1e-3, "s": 1.0}


class BenchError(Exception):
    """A benchmark did not run, or did not print what it should."""


def split_name(name):
    """Splits "group/variant"; a name without a variant is a figure of ours."""
    group, slash, variant = name.rpartition("/")
    return (group, variant) if slash else (variant, OURS)


def figures_of_google_benchmark(report):
    """Returns {name: median seconds} of one Google Benchmark JSON report."""
    samples = {}
    for run in report.get("benchmarks", []):
        if run.get("run_type") == "aggregate":
            continue
        name = run.get("run_name", run["name"])
        if run.get("error_occurred"):
            raise BenchError(f"{name}: {run.get('error_message', 'failed')}")
        name = re.sub(r"(/(real_time|manual_time|process_time|iterations:\d+|repeats:\d+))+$", "", name)
        samples.setdefault(name, []).append(run["real_time"] * UNIT_SECONDS[run["time_unit"]])
    return {name: statistics.median(values) for name, values in samples.items()}


def figures_of_lines(text, source):
    """Returns {name: median seconds} of the JSON lines that a comparison printed."""
    samples = {}
    for line in text.splitlines():
        if not line.startswith("{"):
            continue
        try:
            figure = json.loads(line)
            samples.setdefault(figure["name"], []).append(float(figure["seconds"]))
        except (ValueError, KeyError, TypeError) as error:
            raise BenchError(f"{source}: not a figure: {line} ({error})") from error
    return {name: statistics.median(values) for name, values in samples.items()}


def run(command, environment):
    print("+ " + " ".join(str(c) for c in command), file=sys.stderr, flush=True)
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, env=environment, cwd=ROOT)
    if done.returncode != 0:
        raise BenchError(f"{pathlib.Path(command[-1]).name}: exit {done.returncode}")
    return done.stdout


def measure(options):
    """Runs everything; returns {name: seconds}."""
    environment = dict(os.environ)
    environment["PATH"] = f"{options.build / 'bin'}{os.pathsep}{environment['PATH']}"
    environment["PYTHONPATH"] = f"{ROOT / 'python'}{os.pathsep}{options.build / 'python'}"
    environment["HOSTNPU_BUILD_DIR"] = str(options.build)
    figures = {}
    programs = sorted((options.build / "bin" / "benchmarks").glob("*_benchmark"))
    scripts = sorted((ROOT / "benchmarks").glob("compare_*.py"))
    for program in (p for p in programs if options.only in p.name):
        text = run([program, "--benchmark_format=json", f"--benchmark_repetitions={options.repetitions}"], environment)
        figures.update(figures_of_google_benchmark(json.loads(text)))
    for script in (s for s in scripts if options.only in s.name):
        figures.update(figures_of_lines(run([sys.executable, script], environment), script.name))
    return figures


def readable(seconds):
    for unit, size in (("s", 1.0), ("ms", 1e-3), ("µs", 1e-6)):
        if seconds >= size:
            return f"{seconds / size:.3g} {unit}"
    return f"{seconds / 1e-9:.3g} ns"


def table_of(figures):
    """The figures as a Markdown table: a row a group, ours first, then each other and its ratio to ours."""
    groups = {}
    for name, seconds in figures.items():
        group, variant = split_name(name)
        groups.setdefault(group, {})[variant] = seconds
    lines = ["| what | hostnpu | compared with | ratio |", "| --- | ---: | --- | ---: |"]
    for group, variants in sorted(groups.items()):
        ours = variants.pop(OURS, None)
        own = readable(ours) if ours is not None else ""
        if not variants:
            lines.append(f"| {group} | {own} | | |")
        for variant, seconds in sorted(variants.items()):
            ratio = f"{seconds / ours:.2f}" if ours else ""
            lines.append(f"| {group} | {own} | {variant}: {readable(seconds)} | {ratio} |")
    return "\n".join(lines) + "\n"


def machine():
    """One line: processor, number of processors, system, date."""
    model = platform.machine()
    try:
        for line in pathlib.Path("/proc/cpuinfo").read_text().splitlines():
            if line.startswith("model name"):
                model = line.split(":", 1)[1].strip()
                break
    except OSError:
        pass
    return f"{model}, {os.cpu_count()} processors, {platform.system()} {platform.release()}, {datetime.date.today()}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build" / "release")
    parser.add_argument("--out", type=pathlib.Path, default=ROOT / "benchmarks" / "out")
    parser.add_argument("--only", default="", help="only programs and scripts whose name contains this")
    parser.add_argument("--repetitions", type=int, default=5)
    options = parser.parse_args()
    options.build = options.build.resolve()
    try:
        figures = measure(options)
    except BenchError as error:
        print(f"bench_table: {error}", file=sys.stderr)
        return 1
    if not figures:
        print(f"bench_table: no benchmark in {options.build / 'bin' / 'benchmarks'} matches '{options.only}'",
              file=sys.stderr)
        return 1
    text = f"{machine()}; medians of {options.repetitions}; a ratio over 1 says that hostnpu is faster.\n\n" + table_of(figures)
    options.out.mkdir(parents=True, exist_ok=True)
    (options.out / "table.md").write_text(text)
    (options.out / "table.json").write_text(json.dumps({"machine": machine(), "seconds": figures}, indent=1) + "\n")
    print(text)
    print(f"written: {options.out / 'table.md'}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
