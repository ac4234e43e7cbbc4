# Copyright 2026 The hostnpu Authors
# SPDX-License-Identifier: Apache-2.0
"""The names of TileLang: `import hostnpu.tilelang.language as T`.

Each function turns its arguments into one call of the C++ builder; what is checked is checked there.
Functions that make an operation return it, and the kernel function emits it where it stands.
"""

from __future__ import annotations

import builtins as _py
import math as _math

from ... import _native
from .. import context as _context
from .. import frames as _frames
from ..errors import error_class as _error_class
from ..prim_func import PrimFunc, macro, prim_func  # noqa: F401
from . import tile  # noqa: F401
from .types import *  # noqa: F401, F403
from .types import Tensor


def _builder(what):
    return _context.builder(what)


def _made(operation):
    parser = _context.parser_or_none()
    if parser is not None:
        parser.made.append(operation)
    return operation


def _fresh(buffer):
    _context.parser("an allocation").fresh.append(buffer)
    return buffer


def _fail(builtin, message, help=""):
    raise _error_class(builtin)(message, (), help)


# -- sizes and symbols ---------------------------------------------------------------------------------


def symbolic(name, dtype="int32"):
    """A size known only at the call. Each call makes a new symbol, also under the same name."""
    return _native.symbolic(name, dtype)


dynamic = symbolic


class _Dyn:
    def __getitem__(self, names):
        names = names if isinstance(names, tuple) else (names,)
        made = tuple(symbolic(name) for name in names)
        return made if len(made) > 1 else made[0]


dyn = _Dyn()


def make_tensor(ptr, shape, dtype="float32"):
    _fail(NotImplementedError, "T.make_tensor is not supported: a kernel's tensors are its parameters")


# -- launch and blocks ---------------------------------------------------------------------------------


def Kernel(*blocks, threads=None, is_cpu=False, prelude=None, is_npu=False, pipeline=False):
    """Launches blocks, each with one cube and two vector cores: `with T.Kernel(n, is_npu=True) as (cid, vid)`."""
    if threads is None:
        count = 0
    else:
        given = threads
        if isinstance(threads, (list, tuple)):
            if len(threads) != 1:
                _fail(AssertionError, f"threads of T.Kernel has one value, but {len(threads)} are given")
            given = threads[0]
        if isinstance(given, _py.bool) or not isinstance(given, int):
            _fail(TypeError, f"threads of T.Kernel is an integer, but {given!r} is given")
        if given not in (1, 2):
            _fail(AssertionError, f"threads is {given}, but an NPU block has 1 or 2 vector cores")
        count = given
    if len(blocks) == 1 and isinstance(blocks[0], (list, tuple)):
        blocks = tuple(blocks[0])
    for block in blocks:
        if not _native.is_value(block):
            _fail(TypeError, f"the block count of T.Kernel is an integer, but a {type(block).__name__} is given")
    return _frames.KernelFrame(blocks, count)


def Scope(name):
    return _frames.ScopeFrame(name != "V")


def If(condition):
    return _frames.IfFrame(condition)


def Then():
    return _frames.ThenFrame()


def Else():
    return _frames.ElseFrame()


def serial(start, stop=None, step=1, *, annotations=None):
    return _frames.SerialLoop(0, start, step) if stop is None else _frames.SerialLoop(start, stop, step)


def unroll(start, stop=None, step=1, *, annotations=None):
    return serial(start, stop, step)


def vectorized(start, stop=None, step=1, *, annotations=None):
    return serial(start, stop, step)


def grid(*extents):
    return _frames.GridLoop(extents)


def Parallel(*extents, coalesced_width=None):
    return _frames.ParallelLoop(extents)


def Pipelined(start, stop=None, num_stages=0, order=None, stage=None, sync=None, group=None, cross_interval=1):
    """A serial loop whose stages may overlap on hardware; the results are those of `T.serial`."""
    if stop is None:
        start, stop = 0, start
    return _frames.PipelinedLoop(start, stop, int(num_stages), int(cross_interval))


def Persistent(domain, wave_size, index, group_size=8):
    return _frames.PersistentLoop(tuple(domain), wave_size, index, group_size)


def loop_break():
    return _made(_builder("T.loop_break").loop_exit(True))


def use_swizzle(cid, m, n, k, block_m, block_n, off=1, dir=0):
    """The tile id that a block takes, so that neighbours share rows (dir 0) or columns (dir 1)."""
    assert m % block_m == 0, f"m ({m}) is not a multiple of block_m ({block_m})"
    assert n % block_n == 0, f"n ({n}) is not a multiple of block_n ({block_n})"
    rows, columns = m // block_m, n // block_n
    if dir not in (0, 1):
        _fail(ValueError, f"dir of T.use_swizzle is 0 or 1, but {dir} is given")
    along, across = (rows, columns) if dir == 0 else (columns, rows)
    band_size = off * across
    band = cid // band_size
    inside = cid % band_size
    bands = (along + off - 1) // off
    height = if_then_else(band == bands - 1, along - off * band, off)
    first = band * off + inside % height
    second = inside // height
    second = if_then_else(band % 2 == 1, across - 1 - second, second)
    row, column = (first, second) if dir == 0 else (second, first)
    return row * columns + column


# -- allocation ----------------------------------------------------------------------------------------


def _alloc(what, shape, dtype, memory):
    parser = _context.parser(what)
    return _fresh(parser.builder.alloc("buf", shape, dtype, memory))


def alloc_ub(shape, dtype="float32"):
    return _alloc("T.alloc_ub", shape, dtype, "UB")


def alloc_L1(shape, dtype="float32"):
    return _alloc("T.alloc_L1", shape, dtype, "L1")


def alloc_L0A(shape, dtype="float32"):
    return _alloc("T.alloc_L0A", shape, dtype, "L0A")


def alloc_L0B(shape, dtype="float32"):
    return _alloc("T.alloc_L0B", shape, dtype, "L0B")


def alloc_L0C(shape, dtype="float32"):
    return _alloc("T.alloc_L0C", shape, dtype, "L0C")


def alloc_shared(shape, dtype="float32", scope="shared.dyn"):
    return _alloc("T.alloc_shared", shape, dtype, "shared")


def alloc_fragment(shape, dtype="float32", scope="local.fragment"):
    return _alloc("T.alloc_fragment", shape, dtype, "fragment")


def alloc_var(dtype, *args, init=None, scope="local.var"):
    """A mutable scalar of each stream; reading its name loads it, assigning to its name stores."""
    has_init = init is not None
    if len(args) > 2:
        _fail(TypeError, f"T.alloc_var takes at most 3 positional arguments, but {len(args) + 1} are given")
    if len(args) == 1 and not isinstance(args[0], str):
        if has_init:
            _fail(TypeError, "Initializer specified multiple times in alloc_var.")
        init = args[0]
    elif len(args) == 2:
        if has_init:
            _fail(TypeError, "Initializer specified multiple times in alloc_var.")
        if not isinstance(args[1], str):
            _fail(TypeError, f"the scope of T.alloc_var is a string, but {args[1]!r} is given")
        init = args[0]
    return _fresh(_builder("T.alloc_var").alloc_var("var", dtype, init))


def alloc_local(*args, **kwargs):
    raise AttributeError(
        "T.alloc_local does not exist on Ascend: use T.alloc_ub or T.alloc_shared for tiles, T.alloc_fragment for "
        "cube tiles, T.alloc_var for a scalar"
    )


def alloc_workspace(shape, dtype="float32", scope="block", init=None):
    """Scratch in global memory that is no parameter: one for each block, or one for the launch."""
    if scope not in ("block", "launch"):
        _fail(ValueError, f"the scope of T.alloc_workspace is 'block' or 'launch', but {scope!r} is given")
    kind, value = workspace_contents(init, "init of T.alloc_workspace", dtype)
    builder = _builder("T.alloc_workspace")
    return _fresh(builder.alloc_workspace("workspace", shape, dtype, scope == "block", kind, value))


def workspace_contents(init, what, dtype):
    """("zero", 0.0) and the like for a `workspace_init` value."""
    if init is None or init == "undefined":
        return "undefined", 0.0
    if isinstance(init, str):
        if init not in ("zero", "persistent-zero"):
            _fail(ValueError, f"{what} is 'zero', 'persistent-zero', a number or None, but {init!r} is given")
        return init, 0.0
    if isinstance(init, _py.bool) or not isinstance(init, (int, float)):
        _fail(TypeError, f"{what} is 'zero', 'persistent-zero', a number or None, but a {type(init).__name__} is given")
    if init == 0:
        return "zero", 0.0
    if not _holds(_native.dtype_name(dtype), init):
        _fail(ValueError, f"{what} is a number that {_native.dtype_name(dtype)} holds, but {init!r} is given")
    return "value", float(init)


_FLOAT_MAX = {"float16": 65504.0, "bfloat16": 3.3895e38, "float32": 3.4028235e38, "float64": _math.inf}


def _holds(dtype, number) -> bool:
    """Whether a number can be written into memory of this type; float8 is not filled."""
    if dtype in _FLOAT_MAX:
        return not _math.isfinite(number) or _py.abs(number) <= _FLOAT_MAX[dtype]
    bits = _native.dtype_bits(dtype)
    if dtype.startswith("float") or bits < 8 or not _math.isfinite(number) or number != int(number):
        return False
    if dtype == "bool":
        return number == 1
    low, high = (0, 2**bits) if dtype.startswith("u") else (-(2 ** (bits - 1)), 2 ** (bits - 1))
    return low <= number < high


def annotate_address(addresses):
    builder = _builder("T.annotate_address")
    for buffer, offset in addresses.items():
        builder.set_address(buffer, int(offset))


def annotate_layout(layouts):
    builder = _builder("T.annotate_layout")
    for buffer, layout in layouts.items():
        builder.set_layout(buffer, getattr(layout, "name", str(layout)))


def annotate_padding(paddings):
    """Accepted; padding has no effect on Ascend."""


def view(buffer, shape=None, dtype=None):
    return _fresh(_builder("T.view").view(buffer, shape, dtype))


def reshape(buffer, shape):
    return _fresh(_builder("T.reshape").view(buffer, shape, None))


def reinterpretcast(dst, src, ctype):
    _builder("T.reinterpretcast").reinterpret(dst, src, ctype)


# -- data movement and cube ------------------------------------------------------------------------------


def copy(src, dst, enable_relu=False, transpose=False, pad_value=None):
    return _made(_builder("T.copy").copy(src, dst, _py.bool(enable_relu), _py.bool(transpose), pad_value))


def gemm_v0(A, B, C, transpose_A=False, transpose_B=False, init=False):
    return _made(_builder("T.gemm_v0").gemm(A, B, C, _py.bool(transpose_A), _py.bool(transpose_B), init, False))


def mma(A, B, C, init=False):
    return _made(_builder("T.mma").gemm(A, B, C, False, False, init, True))


def set_deq_scale(scale):
    return _made(_builder("T.set_deq_scale").set_deq_scale(scale))


# -- reductions -----------------------------------------------------------------------------------------


def _reduce(kind, buffer, out, dim=-1, *args, clear=True, real_shape=None):
    what = f"T.reduce_{kind}"
    seen_clear = seen_shape = False
    if len(args) > 2:
        _fail(TypeError, f"{what} takes at most 5 positional arguments, but {len(args) + 3} are given")
    for arg in args:
        if isinstance(arg, _py.bool):
            if seen_clear:
                _fail(TypeError, f"{what} is given clear twice")
            clear, seen_clear = arg, True
        elif isinstance(arg, (list, tuple)):
            if seen_shape or real_shape is not None:
                _fail(TypeError, f"{what} is given real_shape twice")
            real_shape, seen_shape = arg, True
        else:
            _fail(TypeError, f"{what} has an argument {arg!r} that is neither clear (True or False) nor real_shape (a list)")
    if not isinstance(clear, _py.bool):
        _fail(TypeError, f"clear of {what} is a bool, but {clear!r} is given")
    if isinstance(dim, _py.bool) or not isinstance(dim, int):
        _fail(TypeError, f"dim of {what} is an integer, but {dim!r} is given")
    if real_shape is not None:
        real_shape = [int(size) for size in real_shape]
    return _made(_builder(what).reduce(kind, buffer, out, dim, clear, real_shape))


def reduce_sum(buffer, out, dim=-1, *args, **kwargs):
    return _reduce("sum", buffer, out, dim, *args, **kwargs)


def reduce_max(buffer, out, dim=-1, *args, **kwargs):
    return _reduce("max", buffer, out, dim, *args, **kwargs)


def reduce_min(buffer, out, dim=-1, *args, **kwargs):
    return _reduce("min", buffer, out, dim, *args, **kwargs)


def reduce(buffer, out, reduce_type, dim, real_shape=None, clear=True):
    return _reduce(reduce_type, buffer, out, dim, clear=clear, real_shape=real_shape)


# -- synchronisation --------------------------------------------------------------------------------------


def barrier_all():
    return _made(_builder("T.barrier_all").barrier("all"))


def pipe_barrier(pipe):
    return _made(_builder("T.pipe_barrier").barrier(pipe))


def set_flag(src, dst, eventId):
    return _made(_builder("T.set_flag").flag(True, src, dst, eventId))


def wait_flag(src, dst, eventId):
    return _made(_builder("T.wait_flag").flag(False, src, dst, eventId))


def set_cross_flag(pipe, flag, mode=2):
    return _made(_builder("T.set_cross_flag").cross_flag(True, pipe, flag, mode))


def wait_cross_flag(flag, pipe=""):
    return _made(_builder("T.wait_cross_flag").cross_flag(False, pipe, flag, 2))


def _flag_map(emit, flags):
    return [emit(src, dst, flag) for src, targets in flags.items() for dst, ids in targets.items() for flag in ids]


def init_flag(flags):
    return _flag_map(set_flag, flags)


def clear_flag(flags):
    return _flag_map(wait_flag, flags)


def sync_all():
    return _made(_builder("T.sync_all").sync_all())


# -- output ---------------------------------------------------------------------------------------------


def printf(format_string, *args):
    builder = _builder("T.printf")
    values = [
        builder.address(arg) if isinstance(arg, _native.Buffer) and not arg.is_scalar else arg for arg in args
    ]
    return _made(builder.print(format_string, values))


def dump_tensor(tensor, desc, dump_size, shape_info=()):
    if isinstance(desc, _py.bool) or not isinstance(desc, int):
        _fail(ValueError, f"desc of T.dump_tensor is an integer of 0 to 4294967295, but {desc!r} is given")
    return _made(_builder("T.dump_tensor").dump(tensor, desc, dump_size, [int(size) for size in shape_info]))


def print(obj, msg=""):  # noqa: A001: the language's own name
    if isinstance(obj, _native.Buffer) and not obj.is_scalar:
        count = 1
        for size in obj.shape:
            count = count * size
        return dump_tensor(obj, 0, count)
    integer = not _native.constant(obj, "float32").dtype == getattr(obj, "dtype", "float32")
    return printf(f"{msg}{'%d' if integer else '%f'}\n", obj)


# -- scalars ---------------------------------------------------------------------------------------------


def _runtime(*values):
    return _py.any(isinstance(value, (_native.Expr, _native.Buffer)) for value in values)


def _function(name, value, python):
    return _native.math_call(name, value) if _runtime(value) else python(value)


class _Number(int):
    """A Python integer that programs also read as `.value`."""

    @property
    def value(self):
        return int(self)


def _number(value):
    return _Number(value) if type(value) is int else value


def ceildiv(a, b):
    return _number((a + b - 1) // b)


cdiv = ceildiv


def floordiv(a, b):
    return a // b


def floormod(a, b):
    return a % b


truncdiv = floordiv
truncmod = floormod


def max(a, b, *rest):  # noqa: A001
    result = _native.binary("max", a, b) if _runtime(a, b) else _number(_py.max(a, b))
    return max(result, *rest) if rest else result


def min(a, b, *rest):  # noqa: A001
    result = _native.binary("min", a, b) if _runtime(a, b) else _number(_py.min(a, b))
    return min(result, *rest) if rest else result


def abs(value):  # noqa: A001
    return _function("abs", value, _py.abs)


def exp(value):
    return _function("exp", value, _math.exp)


def log(value):
    return _function("log", value, _math.log)


def sqrt(value):
    return _function("sqrt", value, _math.sqrt)


def rsqrt(value):
    return _function("rsqrt", value, lambda x: 1.0 / _math.sqrt(x))


def floor(value):
    return _function("floor", value, _math.floor)


def ceil(value):
    return _function("ceil", value, _math.ceil)


def round(value):  # noqa: A001
    return _function("round", value, _py.round)


def trunc(value):
    return _function("trunc", value, _math.trunc)


def sin(value):
    return _function("sin", value, _math.sin)


def cos(value):
    return _function("cos", value, _math.cos)


def tanh(value):
    return _function("tanh", value, _math.tanh)


def sigmoid(value):
    return _function("sigmoid", value, lambda x: 1.0 / (1.0 + _math.exp(-x)))


def pow(a, b):  # noqa: A001
    return _native.math_call("pow", a, b) if _runtime(a, b) else a**b


power = pow


def clamp(value, low, high):
    return max(min(value, high), low)


def And(a, b):
    return _native.binary("and", a, b) if _runtime(a, b) else _py.bool(a and b)


def Or(a, b):
    return _native.binary("or", a, b) if _runtime(a, b) else _py.bool(a or b)


def Not(a):
    return _native.logical_not(a) if _runtime(a) else not a


def if_then_else(condition, a, b):
    """a or b; the one that is not taken is not evaluated."""
    if not _native.is_runtime(condition):
        return a if condition else b
    return _native.select(condition, a, b, True)


def Select(condition, a, b):
    if not _native.is_runtime(condition):
        return a if condition else b
    return _native.select(condition, a, b, False)


def cast(value, dtype):
    return _native.cast(value, dtype)


def Cast(dtype, value):
    return _native.cast(value, dtype)


def reinterpret(dtype, value):
    return _native.bitcast(value, dtype)


def infinity(dtype="float32"):
    return _native.constant(float("inf"), dtype)


_LIMITS = {"float16": 65504.0, "bfloat16": 3.3895313892515355e38, "float32": 3.4028234663852886e38}


def max_value(dtype):
    name = _native.dtype_name(dtype)
    if name in _LIMITS:
        return _native.constant(_LIMITS[name], name)
    bits = _native.dtype_bits(name)
    return _native.constant(2**bits - 1 if name.startswith("uint") else 2 ** (bits - 1) - 1, name)


def min_value(dtype):
    name = _native.dtype_name(dtype)
    if name in _LIMITS:
        return _native.constant(-_LIMITS[name], name)
    bits = _native.dtype_bits(name)
    return _native.constant(0 if name.startswith("uint") else -(2 ** (bits - 1)), name)


def address_of(buffer):
    return _builder("T.address_of").address(buffer)


def func_attr(attributes):
    """Accepted; no effect."""


def evaluate(value):
    """Accepted; no effect."""


def attr(*args):
    """Accepted; no effect."""


# -- names that exist elsewhere ---------------------------------------------------------------------------

_UNSUPPORTED = {
    "gemm": "use T.gemm_v0 (from L1) or T.mma (from L0A and L0B)",
    "gemm_v1": "use T.gemm_v0",
    "cumsum": "write the loop, or use T.reduce_sum",
    "fill": "use T.tile.fill",
    "clear": "use T.tile.clear",
    "atomic_add": "use T.tile.atomic_add",
    "reduce_abssum": "use T.tile.abs and T.reduce_sum",
    "reduce_absmax": "use T.tile.abs and T.reduce_max",
    "any_of": "use T.reduce_max",
    "all_of": "use T.reduce_min",
    "alloc_barrier": "use T.set_flag and T.wait_flag",
    "thread_binding": "use T.Kernel and T.Parallel",
    "ws": "use T.Scope",
    "get_thread_binding": "use vid of T.Kernel",
    "get_block_binding": "use cid of T.Kernel",
    "shmem_put_nbi": "programs of several devices are not run yet",
    "shmem_get_nbi": "programs of several devices are not run yet",
    "shmem_ub_put_nbi": "programs of several devices are not run yet",
    "shmem_ub_get_nbi": "programs of several devices are not run yet",
}


def __getattr__(name):
    if name in _UNSUPPORTED:

        def unsupported(*args, **kwargs):
            _fail(NotImplementedError, f"T.{name} is not supported on Ascend", _UNSUPPORTED[name])

        return unsupported
    if name.startswith("__"):
        raise AttributeError(name)
    raise AttributeError(f"TileLang for Ascend has no T.{name}")


Buffer = Tensor
