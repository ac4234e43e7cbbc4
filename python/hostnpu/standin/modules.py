# Copyright 2026 The hostnpu Authors
# SPDX-License-Identifier: Apache-2.0
"""The import hook: which name of a script is which module of ours."""

from __future__ import annotations

import importlib
import importlib.abc
import importlib.util
import sys

# Names that have no counterpart of the same name under hostnpu.tilelang.
_OWN = {
    "tilelang.engine": "hostnpu.standin.tilelang_engine",
    "tilelang.utils": "hostnpu.standin.tilelang_utils",
    "tilelang.utils.target": "hostnpu.standin.tilelang_utils",
    "tilelang.utils.tensor": "hostnpu.standin.tilelang_utils",
    "tilelang.jit.adapter": "hostnpu.standin.tilelang_adapter",
    "tilelang.jit.adapter.libgen": "hostnpu.standin.tilelang_adapter",
    "tilelang.carver": "hostnpu.standin.tilelang_carver",
    "tilelang.carver.arch": "hostnpu.standin.tilelang_carver",
    "tilelang.carver.arch.ascend": "hostnpu.standin.tilelang_carver",
    "torch_npu": "hostnpu.standin.torch_npu",
}


class _Alias(importlib.abc.Loader):
    """Loads a module of ours under another name: it is the same module object."""

    def __init__(self, target):
        self.target = target

    def create_module(self, spec):
        module = importlib.import_module(self.target)
        # The import system writes its own spec into the module; ours is kept.
        self.kept = (module.__spec__, module.__loader__, module.__package__, getattr(module, "__path__", None))
        return module

    def exec_module(self, module):
        module.__spec__, module.__loader__, module.__package__, path = self.kept
        if path is None:
            module.__path__ = []  # so that `import a.b.c` goes on below it


class Finder(importlib.abc.MetaPathFinder):
    def find_spec(self, name, path=None, target=None):
        if name == "torch":
            return self._torch_spec()
        ours = _OWN.get(name)
        if ours is None and (name == "tilelang" or name.startswith("tilelang.")):
            ours = "hostnpu." + name
            if importlib.util.find_spec(ours) is None:
                return None
        if ours is None:
            return None
        return importlib.util.spec_from_loader(name, _Alias(ours), is_package=True)

    def _torch_spec(self):
        """torch itself, and the device "npu" added once it is loaded."""
        sys.meta_path.remove(self)
        try:
            spec = importlib.util.find_spec("torch")
        finally:
            sys.meta_path.insert(0, self)
        if spec is None or spec.loader is None:
            return spec
        load = spec.loader.exec_module

        def exec_module(module):
            load(module)
            from . import torch_arithmetic, torch_device

            torch_device.install(module)
            torch_arithmetic.install(module)

        spec.loader.exec_module = exec_module
        return spec
