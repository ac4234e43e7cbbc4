# Copyright 2026 The hostnpu Authors
# SPDX-License-Identifier: Apache-2.0
"""tilelang.jit and tilelang.compile."""

from __future__ import annotations

import functools
import os

from . import cache
from .errors import error_class
from .kernel import JITKernel
from .prim_func import PrimFunc


def compile(  # noqa: A001: the library's own name
    func,
    out_idx=None,
    workspace_idx=None,
    execution_backend="cython",
    target="auto",
    target_host=None,
    platform="auto",
    verbose=False,
    pass_configs=None,
    compile_flags=None,
    workspace_init=None,
    fold_workspaces=False,
    strict_shapes=None,
) -> JITKernel:
    """Compiles a kernel function. `compile_flags` go to clang; `target_host` has no meaning here."""
    return JITKernel(
        func,
        out_idx=out_idx,
        workspace_idx=workspace_idx,
        target=target,
        execution_backend=execution_backend,
        platform=platform,
        verbose=verbose,
        pass_configs=pass_configs,
        compile_flags=compile_flags,
        workspace_init=workspace_init,
        fold_workspaces=fold_workspaces,
        strict_shapes=strict_shapes,
    )


class JITOptions:
    """What @tilelang.jit was given; `factory.__jit_impl__`."""

    def __init__(self, func, options):
        self.func = func
        self.options = options

    def __getattr__(self, name):
        try:
            return self.__dict__["options"][name]
        except KeyError:
            raise AttributeError(name) from None


def _keep_texts(kernel, folder, name) -> None:
    """Writes the IR and the Ascend C text of a kernel to `folder`, for reading."""
    os.makedirs(folder, exist_ok=True)
    for suffix, text in (("tir", kernel.prim_func.script()), ("asc", kernel.kernel_source)):
        with open(os.path.join(folder, f"{name}.{suffix}"), "w", encoding="utf-8") as file:
            file.write(text)


def _wrap(factory, options):
    if isinstance(factory, PrimFunc):
        raise error_class(ValueError)(
            "Use tilelang.jit to decorate prim_func is not supported yet. Decorate the function that returns the "
            "@T.prim_func, or call tilelang.compile."
        )
    if not callable(factory):
        raise error_class(TypeError)(f"tilelang.jit decorates a function, but a {type(factory).__name__} is given")
    memo = {}
    implementation = JITOptions(factory, options)

    def build(args, kwargs):
        tuned = kwargs.pop("__tune_params", None) or {}
        func = factory(*args, **{**kwargs, **tuned})
        if not isinstance(func, PrimFunc):
            raise error_class(TypeError)(
                f"'{factory.__name__}' under tilelang.jit returns a {type(func).__name__}, but it has to return a "
                "@T.prim_func"
            )
        chosen = dict(implementation.options)
        folder = chosen.pop("debug_root_path")
        kernel = compile(func, **chosen)
        if folder is not None:
            _keep_texts(kernel, folder, factory.__name__)
        return kernel

    @functools.wraps(factory)
    def wrapper(*args, **kwargs):
        try:
            tuned = kwargs.get("__tune_params") or {}
            plain = {name: value for name, value in kwargs.items() if name != "__tune_params"}
            key = (*cache.arguments_key(args, plain), *cache.arguments_key((), tuned), cache.generation())
            hash(key)
        except TypeError:
            return build(args, dict(kwargs))  # arguments that cannot be remembered
        kernel = memo.get(key)
        if kernel is None:
            kernel = build(args, dict(kwargs))
            if cache.is_enabled():
                memo[key] = kernel
        return kernel

    wrapper.__jit_impl__ = implementation
    wrapper.__wrapped__ = factory
    return wrapper


def jit(
    func=None,
    *,
    out_idx=None,
    workspace_idx=None,
    target="auto",
    target_host=None,
    platform="auto",
    execution_backend="cython",
    verbose=False,
    pass_configs=None,
    debug_root_path=None,
    debug=False,
    compile_flags=None,
    workspace_init=None,
    fold_workspaces=False,
    strict_shapes=None,
):
    """Decorates a function that returns a @T.prim_func: calling it gives the compiled kernel.

    The options are those of `compile`; `debug_root_path` is a folder that gets the IR and the Ascend C text of
    each kernel built.
    """
    options = {
        "out_idx": out_idx,
        "workspace_idx": workspace_idx,
        "target": target,
        "target_host": target_host,
        "platform": platform,
        "execution_backend": execution_backend,
        "verbose": verbose or debug,
        "pass_configs": pass_configs,
        "debug_root_path": debug_root_path,
        "compile_flags": compile_flags,
        "workspace_init": workspace_init,
        "fold_workspaces": fold_workspaces,
        "strict_shapes": strict_shapes,
    }
    if func is None:
        return lambda factory: _wrap(factory, options)
    return _wrap(func, options)
