# Copyright 2026 The hostnpu Authors
# SPDX-License-Identifier: Apache-2.0
"""The kernel caches.

Two levels. In memory, each decorated factory remembers the kernels it has built, by its arguments. On
disk, compiled kernels are kept by the content of everything that went into them (source, compiler, flags,
chip, headers), so an entry is never wrong and many processes may share it.
"""

from __future__ import annotations

import os

_enabled = True
_generation = 0


def is_enabled() -> bool:
    return _enabled


def generation() -> int:
    """Changes when remembered kernels are to be forgotten."""
    return _generation


def arguments_key(args: tuple, kwargs: dict) -> tuple:
    """What a call is remembered by. 1, 1.0 and True are equal and make different kernels, so types count."""
    return _typed(args), tuple((name, _typed(value)) for name, value in sorted(kwargs.items()))


def _typed(value):
    if isinstance(value, tuple):
        return tuple(_typed(item) for item in value)
    return type(value), value


def enable_cache() -> None:
    global _enabled
    _enabled = True


def disable_cache() -> None:
    """Every factory call reads and lowers the kernel function anew."""
    global _enabled, _generation
    _enabled = False
    _generation += 1


def clear_cache() -> None:
    """Forgets the kernels in memory. What is on disk stays: it is keyed by content (`hostnpu cache`)."""
    global _generation
    _generation += 1


def set_cache_dir(path) -> None:
    os.environ["HOSTNPU_CACHE_DIR"] = str(path)


def get_cache_dir() -> str:
    named = os.environ.get("HOSTNPU_CACHE_DIR")
    if named:
        return named
    base = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
    return os.path.join(base, "hostnpu")


def cached(func, *args, **kwargs):
    """Compiles `func`; what is equal comes from the disk cache."""
    from .jit import compile

    return compile(func, *args, **kwargs)
