# Copyright 2026 The hostnpu Authors
# SPDX-License-Identifier: Apache-2.0
"""The device "npu" in torch: every tensor on it is a CPU tensor."""

from __future__ import annotations

import re
import sys
import time
import types

_NPU = re.compile(r"npu(:\d+)?")


def _is_npu(value, torch) -> bool:
    if isinstance(value, str):
        return _NPU.fullmatch(value) is not None
    return isinstance(value, torch.device) and value.type == "npu"


def _shares_memory(target, value, torch) -> bool:
    """Only the CPU refuses `x[:, a:b] = y` for a y that is the same elements by another view."""
    if not isinstance(value, torch.Tensor) or value.layout != torch.strided or target.layout != torch.strided:
        return False
    return value.untyped_storage().data_ptr() == target.untyped_storage().data_ptr()


def install(torch) -> None:
    torch.utils.rename_privateuse1_backend("npu")
    npu = _make_module(torch)
    torch.npu = npu
    sys.modules["torch.npu"] = npu
    sys.modules["torch.npu.config"] = npu.config
    _redirect_calls(torch)
    _add_methods(torch)


def _redirect_calls(torch) -> None:
    from torch.overrides import TorchFunctionMode

    class RedirectNpu(TorchFunctionMode):
        """Sends `device="npu"` of any torch function to the CPU."""

        def __torch_function__(self, func, types_, args=(), kwargs=None):
            kwargs = dict(kwargs or {})
            if _is_npu(kwargs.get("device"), torch):
                kwargs["device"] = "cpu"
            if any(_is_npu(arg, torch) for arg in args):
                args = tuple("cpu" if _is_npu(arg, torch) else arg for arg in args)
            if func is torch.Tensor.__setitem__ and _shares_memory(args[0], args[2], torch):
                args = (*args[:2], args[2].clone())
            return func(*args, **kwargs)

    mode = RedirectNpu()
    mode.__enter__()
    torch._hostnpu_redirect = mode  # stays entered for the life of the process

    set_default_device = torch.set_default_device

    def set_default(device):
        set_default_device("cpu" if _is_npu(device, torch) or isinstance(device, int) else device)

    torch.set_default_device = set_default
    generator = torch.Generator

    class Generator(generator):
        def __new__(cls, device="cpu"):
            return generator.__new__(cls, "cpu" if _is_npu(device, torch) else device)

    torch.Generator = Generator
    load = torch.load

    def load_to_cpu(*args, **kwargs):
        if _is_npu(kwargs.get("map_location"), torch):
            kwargs["map_location"] = "cpu"
        return load(*args, **kwargs)

    torch.load = load_to_cpu


def _add_methods(torch) -> None:
    def tensor_npu(self, device=None, non_blocking=False, **ignored):
        return self

    torch.Tensor.npu = tensor_npu
    torch.Tensor.is_npu = property(lambda self: True)
    torch.nn.Module.npu = lambda self, device=None: self
    module_to = torch.nn.Module.to

    def to(self, *args, **kwargs):
        args = tuple("cpu" if _is_npu(arg, torch) else arg for arg in args)
        if _is_npu(kwargs.get("device"), torch):
            kwargs["device"] = "cpu"
        return module_to(self, *args, **kwargs)

    torch.nn.Module.to = to


class Event:
    """A point in time; everything before it has happened, because calls return when they are done."""

    def __init__(self, enable_timing=False, blocking=False, interprocess=False):
        self._time = None

    def record(self, stream=None):
        self._time = time.perf_counter()

    def synchronize(self):
        pass

    def wait(self, stream=None):
        pass

    def query(self):
        return True

    def elapsed_time(self, end):
        """Milliseconds from this event to `end`."""
        if self._time is None or end._time is None:
            raise RuntimeError("both events of elapsed_time have to be recorded")
        return (end._time - self._time) * 1e3


class Stream:
    def __init__(self, device=None, priority=0, **ignored):
        self.device = device
        self.npu_stream = 0
        self._as_parameter_ = None

    def synchronize(self):
        pass

    def wait_stream(self, stream):
        pass

    def wait_event(self, event):
        pass

    def record_event(self, event=None):
        event = event or Event()
        event.record(self)
        return event

    def query(self):
        return True

    def __enter__(self):
        return self

    def __exit__(self, *ignored):
        return False


class NPUGraph:
    """Records the kernel calls made under torch.npu.graph and makes them again at replay()."""

    def __init__(self):
        self.calls = []

    def replay(self):
        for call in self.calls:
            call()

    def reset(self):
        self.calls.clear()


class graph:  # noqa: N801: the name of torch.npu
    """Calls of kernels made inside happen now, into their tensors, and again at every replay."""

    def __init__(self, npu_graph, pool=None, stream=None, **ignored):
        self.npu_graph = npu_graph

    def __enter__(self):
        from ..tilelang import kernel

        recorder = self.npu_graph.calls
        self.kernel_class = kernel.JITKernel
        self.plain_call = plain_call = kernel.JITKernel.__call__

        def recording(self_, *args):
            result = plain_call(self_, *args)
            outputs = list(result) if isinstance(result, (list, tuple)) else [result]

            def again():
                fresh = plain_call(self_, *args)
                for old, new in zip(outputs, fresh if isinstance(fresh, (list, tuple)) else [fresh]):
                    if old is not new:
                        old.copy_(new)

            recorder.append(again)
            return result

        kernel.JITKernel.__call__ = recording
        return self

    def __exit__(self, *ignored):
        self.kernel_class.__call__ = self.plain_call
        return False


def _make_module(torch):
    npu = types.ModuleType("torch.npu")
    stream = Stream()
    properties = _properties()
    npu.synchronize = lambda device=None: None
    npu.is_available = lambda: True
    npu.is_initialized = lambda: True
    npu.init = lambda: None
    npu.device_count = lambda: 1
    npu.current_device = lambda: 0
    npu.set_device = lambda device: None
    npu.get_device_name = lambda device=None: properties.name
    npu.get_device_properties = lambda device=None: properties
    npu.get_device_capability = lambda device=None: None
    npu.current_stream = lambda device=None: stream
    npu.default_stream = lambda device=None: stream
    npu.set_stream = lambda stream: None
    npu.stream = lambda stream: stream if stream is not None else Stream()
    npu.Stream = Stream
    npu.Event = Event
    npu.NPUGraph = NPUGraph
    npu.graph = graph
    npu.empty_cache = lambda: None
    npu.memory_allocated = lambda device=None: 0
    npu.max_memory_allocated = lambda device=None: 0
    npu.memory_reserved = lambda device=None: 0
    npu.reset_peak_memory_stats = lambda device=None: None
    # torch.manual_seed seeds the CPU and then asks every device; the CPU is all there is.
    npu.manual_seed = lambda seed: None
    npu.manual_seed_all = lambda seed: None
    npu._is_in_bad_fork = lambda: False
    npu.set_compile_mode = lambda **ignored: None
    npu.config = types.ModuleType("torch.npu.config")
    npu.config.allow_internal_format = False
    npu.matmul = types.SimpleNamespace(allow_hf32=False)
    npu.device = _DeviceGuard
    return npu


class _DeviceGuard:
    def __init__(self, device=None):
        self.device = device

    def __enter__(self):
        return self

    def __exit__(self, *ignored):
        return False


def _properties():
    from .. import _native

    chip = _native.chip()
    return types.SimpleNamespace(
        name=chip["name"],
        cube_core_num=chip["aic_count"],
        vector_core_num=chip["aiv_count"],
        total_memory=chip["hbm_bytes"],
        L2_cache_size=chip["l2_bytes"],
        multi_processor_count=chip["aic_count"],
    )
