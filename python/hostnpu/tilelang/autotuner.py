# Copyright 2026 The hostnpu Authors
# SPDX-License-Identifier: Apache-2.0
"""tilelang.autotune: compiles every configuration, checks and times it, gives back the best kernel."""

from __future__ import annotations

import contextlib
import functools
import inspect
import sys

from . import cache
from .errors import error_class
from .profiler import Profiler, TensorSupplyType, get_tensor_supply

_fixed_inputs: list = []


@contextlib.contextmanager
def set_autotune_inputs(*tensors):
    """The inputs used for checking and timing while the context lasts."""
    given = list(tensors[0]) if len(tensors) == 1 and isinstance(tensors[0], (list, tuple)) else list(tensors)
    _fixed_inputs.append(given)
    try:
        yield
    finally:
        _fixed_inputs.pop()


class Trial:
    """One configuration: its kernel and time, or why it failed."""

    def __init__(self, config, kernel=None, latency=None, error=None):
        self.config = config
        self.kernel = kernel
        self.latency = latency
        self.error = error


@contextlib.contextmanager
def _progress(total):
    """A function to call after each configuration; shows a bar on a terminal."""
    try:
        from rich.progress import Progress
    except ImportError:
        yield lambda: None
        return
    with Progress(transient=True, disable=not sys.stderr.isatty()) as progress:
        task = progress.add_task("tuning", total=total)
        yield lambda: progress.advance(task)


# Of these, timeout and cache_input_tensors change nothing: a kernel that hangs ends as a stall, and the inputs are
# made anew for each configuration.
_OPTIONS = (
    "warmup", "rep", "timeout", "supply_type", "ref_prog", "supply_prog", "rtol", "atol", "max_mismatched_ratio",
    "skip_check", "manual_check_prog", "cache_input_tensors",
)  # fmt: skip


def _check_options(what, options) -> None:
    for name in options:
        if name not in _OPTIONS:
            raise error_class(TypeError)(f"{what} has no option '{name}'; it has {', '.join(_OPTIONS)}")


def _as_config(config):
    if isinstance(config, dict):
        return dict(config)
    if hasattr(config, "__dict__"):
        return dict(vars(config))
    raise error_class(TypeError)(f"a configuration is a dict, but a {type(config).__name__} is given")


class Tuner:
    def __init__(self, build, configs, options):
        self.build = build
        self.configs = [_as_config(config) for config in configs]
        self.options = options

    def run(self):
        if not self.configs:
            raise error_class(ValueError)("autotune has no configuration to try")
        trials = []
        with _progress(len(self.configs)) as advance:
            for config in self.configs:
                trials.append(self.try_config(config))
                advance()
        good = [trial for trial in trials if trial.error is None]
        for trial in trials:
            if trial.error is not None:
                print(f"autotune: {trial.config} failed: {trial.error}", file=sys.stderr)
        if not good:
            raise error_class(RuntimeError)(f"none of the {len(trials)} configurations of autotune works")
        best = min(good, key=lambda trial: trial.latency)
        best.kernel.update_tuner_result(best.latency, best.config, self.reference_latency(best.kernel))
        best.kernel.trials = trials
        return best.kernel

    def inputs(self, kernel):
        if _fixed_inputs:
            return _fixed_inputs[-1]
        supply_prog = self.options.get("supply_prog")
        skipped = set(kernel.out_idx) | set(kernel.workspace_idx)
        params = [param for index, param in enumerate(kernel.params) if index not in skipped]
        if supply_prog is not None:
            return supply_prog(params)
        supply = get_tensor_supply(self.options.get("supply_type", TensorSupplyType.Auto))
        return [supply(param) for param in params]

    def try_config(self, config):
        options = self.options
        try:
            kernel = self.build(config)
            profiler = Profiler(kernel)
            inputs = self.inputs(kernel)
            if options.get("ref_prog") is not None and not options.get("skip_check"):
                if options.get("manual_check_prog") is not None:
                    profiler.manual_assert_close(options["ref_prog"], inputs, options["manual_check_prog"])
                else:
                    profiler.assert_allclose(
                        options["ref_prog"],
                        inputs,
                        atol=options.get("atol", 1e-2),
                        rtol=options.get("rtol", 1e-2),
                        max_mismatched_ratio=options.get("max_mismatched_ratio", 0.01),
                    )
            latency = profiler.do_bench(
                warmup=options.get("warmup", 25), rep=options.get("rep", 100), input_tensors=inputs
            )
            return Trial(config, kernel, latency)
        except Exception as error:  # a configuration that does not work is reported and skipped
            return Trial(config, error=error)

    def reference_latency(self, kernel):
        reference = self.options.get("ref_prog")
        if reference is None:
            return None
        return Profiler(kernel).do_bench(reference, warmup=1, rep=10, input_tensors=self.inputs(kernel))


def _call_configs(configs, args, kwargs):
    """The reference calls it with the positional arguments as one tuple, and the keyword arguments as another."""
    count = len(inspect.signature(configs).parameters)
    return configs(*(args, tuple(sorted(kwargs.items())))[:count])


def autotune(func=None, *, configs=None, **options):
    """Above @tilelang.jit. Calling the function without the tunable arguments tries every configuration."""
    if func is not None or configs is None:
        raise error_class(ValueError)("tilelang.autotune takes configs=..., a list of dicts or a function that gives one")
    _check_options("tilelang.autotune", options)

    def decorate(factory):
        memo = {}
        wanted = inspect.signature(getattr(factory, "__wrapped__", factory))

        @functools.wraps(factory)
        def wrapper(*args, **kwargs):
            candidates = _call_configs(configs, args, kwargs) if callable(configs) else configs
            candidates = [_as_config(config) for config in candidates]
            tunable = set().union(*candidates) if candidates else set()
            bound = wanted.bind_partial(*args, **kwargs)
            if tunable and tunable <= set(bound.arguments):
                return factory(*args, **kwargs)
            key = (*cache.arguments_key(args, kwargs), cache.generation())
            with contextlib.suppress(TypeError):  # arguments that cannot be remembered
                if key in memo:
                    return memo[key]
            kernel = Tuner(lambda config: factory(*args, **{**kwargs, **config}), candidates, options).run()
            with contextlib.suppress(TypeError):
                if cache.is_enabled():
                    memo[key] = kernel
            return kernel

        return wrapper

    return decorate


class AutoTuner:
    """The same, step by step: AutoTuner.from_kernel(...).set_compile_args(...).run()."""

    def __init__(self, factory, configs):
        self.factory = factory
        self.configs = configs
        self.compile_options = {}
        self.profile_options = {}

    @classmethod
    def from_kernel(cls, kernel, configs):
        return cls(kernel, configs)

    def set_compile_args(self, **options):
        self.compile_options = options
        return self

    def set_profile_args(self, **options):
        _check_options("AutoTuner.set_profile_args", options)
        self.profile_options = options
        return self

    def run(self, warmup=25, rep=100, timeout=30):
        from .jit import compile
        from .prim_func import PrimFunc

        def build(config):
            made = self.factory(**config)
            return compile(made, **self.compile_options) if isinstance(made, PrimFunc) else made

        options = {**self.profile_options, "warmup": warmup, "rep": rep}
        return Tuner(build, self.configs, options).run()
