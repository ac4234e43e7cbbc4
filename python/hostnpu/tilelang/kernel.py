# Copyright 2026 The hostnpu Authors
# SPDX-License-Identifier: Apache-2.0
"""A compiled TileLang kernel."""

from __future__ import annotations

import shutil
import sys
import time

from .. import _native
from .errors import error_class
from .pass_config import read_pass_configs
from .plan import WorkspacePlan
from .prim_func import PrimFunc
from .roles import Roles

TARGETS = ("auto", "ascendc", "pto")
BACKENDS = ("auto", "cython", "ctypes", "dlpack", "torch")
PLATFORMS = ("auto", "A2", "A3", "A5")

# `hostnpu run` sets this to False: public programs declare upper bounds.
strict_shapes_default = True

# `hostnpu ir` sets it: called with the IR of each kernel before the passes.
before_lowering = None


def _check_choice(what, value, choices):
    if value not in choices:
        raise error_class(ValueError)(f"{what} is {', '.join(map(repr, choices))}, but {value!r} is given")


def _flags(given) -> list[str]:
    flags = given.split() if isinstance(given, str) else list(given or ())
    for flag in flags:
        if not isinstance(flag, str):
            raise error_class(TypeError)(f"compile_flags holds strings, but {flag!r} is given")
    return flags


class KernelParam:
    """One parameter of the signature."""

    def __init__(self, row):
        self.name = row["name"]
        self.dtype = row["dtype"]
        self.shape = list(row["shape"])
        self.is_tensor = row["is_tensor"]

    def is_scalar(self):
        return not self.is_tensor

    def __repr__(self):
        return f"KernelParam({self.name}: {self.dtype}{self.shape if self.is_tensor else ''})"


class _LibraryGenerator:
    def __init__(self, path):
        self.libpath = path
        self.srcpath = None


class _Adapter:
    """What programs look for under `kernel.adapter`."""

    def __init__(self, kernel, path):
        self.kernel = kernel
        self.lib_generator = _LibraryGenerator(path)
        self.libpath = path

    def get_kernel_source(self):
        return self.kernel.kernel_source


class _Artifact:
    def __init__(self, kernel):
        self.kernel_source = kernel.kernel_source
        self.host_source = kernel.host_source
        self.params = kernel.params


class JITKernel(_native.Callable):
    """Call it with the inputs; outputs and workspaces are made for the call."""

    def __init__(
        self,
        func: PrimFunc,
        out_idx=None,
        workspace_idx=None,
        target="auto",
        execution_backend="cython",
        platform="auto",
        verbose=False,
        pass_configs=None,
        compile_flags=None,
        workspace_init=None,
        fold_workspaces=False,
        strict_shapes=None,
    ):
        if not isinstance(func, PrimFunc):
            raise error_class(TypeError)(f"tilelang.compile takes a @T.prim_func, but a {type(func).__name__} is given")
        _check_choice("target", target if isinstance(target, str) else str(target), TARGETS)
        _check_choice("execution_backend", execution_backend, BACKENDS)
        _check_choice("platform", platform, PLATFORMS)
        _check_choice("strict_shapes", strict_shapes, (True, False, None))
        _check_choice("fold_workspaces", fold_workspaces, (True, False))
        super().__init__()
        started = time.perf_counter()
        self.prim_func = func
        self.target = target
        self.execution_backend = execution_backend
        self.platform = platform
        module = func.module.with_config(*read_pass_configs(pass_configs))
        self.pass_configs = dict(pass_configs or {})
        self.roles = Roles(func.params, func.module.name, out_idx, workspace_idx, workspace_init)
        self.out_idx = self.roles.outputs
        self.workspace_idx = self.roles.workspaces
        self.params = [KernelParam(row) for row in func.params]
        if before_lowering is not None:
            before_lowering(module)
        self._generated = _native.generate(module, folded=self._folded() if fold_workspaces else None)
        self.kernel_source = self._generated.source
        self.host_source = self._generated.host_source
        self._call, self.library_path, self.was_cached = _native.compile(
            self._generated, self.roles.names(), self.roles.contents, _flags(compile_flags)
        )
        self._call.strict = strict_shapes_default if strict_shapes is None else strict_shapes
        if len(self.out_idx) > 1:
            self._call.order_results(self.out_idx)
        self.bind(self._call)
        self.auto_gm_idx = list(range(len(func.params), len(func.params) + len(self._generated.hidden_workspaces)))
        self.adapter = _Adapter(self, self.library_path)
        self.artifact = _Artifact(self)
        self.latency = self.config = self.ref_latency = None
        if verbose:
            seconds = time.perf_counter() - started
            state = "from the cache" if self.was_cached else "compiled"
            print(f"hostnpu: kernel '{func.module.name}' {state} in {seconds:.3f} s: {self.library_path}", file=sys.stderr)

    def _folded(self) -> list[int]:
        """The workspaces to fold. One with contents at the start has them only for the first blocks."""
        for index in self.workspace_idx:
            if self.roles.contents[index][0] != "undefined":
                raise error_class(ValueError)(
                    f"fold_workspaces: '{self.params[index].name}' has contents when the kernel begins (workspace_init), "
                    "which a slice that served another block no longer has; leave one of the two out"
                )
        return self.workspace_idx

    def __repr__(self):
        return f"<JITKernel {self.prim_func.module.name}>"

    @property
    def torch_function(self):
        return self

    @property
    def workspaces(self) -> list[str]:
        """The names of the workspaces, those found by workspace_idx="auto" and hidden ones included."""
        return [self.params[index].name for index in self.workspace_idx] + list(self._generated.hidden_workspaces)

    def get_kernel_source(self, *args, **kwargs) -> str:
        """The kernel as Ascend C text."""
        return self.kernel_source

    def get_host_source(self) -> str:
        return self.host_source

    def workspace_plan(self, *shapes) -> WorkspacePlan:
        """What a call with inputs of these shapes leases. Takes shapes or tensors; none for static kernels."""
        return WorkspacePlan(self.prim_func.module.name, self._call.plan(*(shapes or self._static_shapes())))

    def _static_shapes(self):
        names = self.roles.names()
        shapes = []
        for row, role in zip(self.prim_func.params, names):
            if not row["is_tensor"]:
                shapes.append(0)
            elif role == "input":
                symbols = [size for size in row["shape"] if not isinstance(size, int)]
                if symbols:
                    raise error_class(ValueError)(
                        f"kernel '{self.prim_func.module.name}' has the symbolic size '{symbols[0]}': give the shape of "
                        "each input"
                    )
                shapes.append(row["shape"])
        return shapes

    def workspace_bytes(self, *shapes, declared=False) -> int:
        """Bytes that a call leases; with `declared`, the sum of what is declared."""
        plan = self.workspace_plan(*shapes)
        return plan.declared_bytes if declared else plan.total_bytes

    def get_profiler(self, tensor_supply_type=None):
        from .profiler import Profiler, TensorSupplyType

        return Profiler(self, tensor_supply_type if tensor_supply_type is not None else TensorSupplyType.Auto)

    def run_once(self, func=None):
        return self.get_profiler().run_once(func)

    def update_tuner_result(self, latency, config, ref_latency=None):
        self.latency, self.config, self.ref_latency = latency, config, ref_latency
        return self

    def get_tuner_result(self):
        if self.latency is None:
            raise error_class(ValueError)("the kernel has not been tuned: get_tuner_result comes after autotune")
        return self.latency, self.config, self.ref_latency

    def export_library(self, path) -> None:
        """Copies the compiled kernel to `path`."""
        shutil.copyfile(self.library_path, path)
