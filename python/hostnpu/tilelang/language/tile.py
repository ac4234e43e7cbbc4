# Copyright 2026 The hostnpu Authors
# SPDX-License-Identifier: Apache-2.0
"""T.tile: vector operations on tiles of UB. Destination first, then sources, then scalars."""

from __future__ import annotations

from ... import _native
from .. import context
from ..errors import error_class


def _tile(name, *args):
    parser = context.parser(f"T.tile.{name}")
    operation = parser.builder.tile(name, *args)
    parser.made.append(operation)
    return operation


def _binary(name):
    def operation(dst, src0, src1):
        return _tile(name, dst, src0, src1)

    operation.__name__ = name
    operation.__doc__ = f"dst = {name}(src0, src1), element by element; src1 is a tile or a scalar."
    return operation


def _unary(name):
    def operation(dst, src0=None, *, src=None):
        return _tile(name, dst, src0 if src0 is not None else src)

    operation.__name__ = name
    operation.__doc__ = f"dst = {name}(src), element by element."
    return operation


for _name in ("add", "sub", "mul", "div", "max", "min", "bitwise_and", "bitwise_or", "bitwise_xor", "pow"):
    globals()[_name] = _binary(_name)
for _name in (
    "bitwise_not", "exp", "ln", "abs", "reciprocal", "sqrt", "rsqrt", "relu", "sin", "cos", "sigmoid", "silu",
    "transpose",
):  # fmt: skip
    globals()[_name] = _unary(_name)


def bitwise_lshift(dst, src0, scalarValue):
    return _tile("bitwise_lshift", dst, src0, scalarValue)


def bitwise_rshift(dst, src0, scalarValue):
    return _tile("bitwise_rshift", dst, src0, scalarValue)


def leaky_relu(dst, src0, scalar_value):
    return _tile("leaky_relu", dst, src0, scalar_value)


def axpy(dst, src0, scalar_value):
    """dst += scalar_value * src0"""
    return _tile("axpy", dst, src0, scalar_value)


def mul_add_dst(dst, src0, src1):
    """dst += src0 * src1"""
    return _tile("mul_add_dst", dst, src0, src1)


def fill(buffer, value):
    return _tile("fill", buffer, value)


def clear(buffer):
    if not isinstance(buffer, (_native.Buffer, _native.Region, _native.Expr)):
        raise error_class(ValueError)(f"T.tile.clear takes a buffer or a region, but {buffer!r} is given")
    return _tile("fill", buffer, 0)


def cast(dst, src, mode, count):
    return _tile("cast", dst, src, mode, count)


def round(out, buffer, count):  # noqa: A001
    return _tile("round", out, buffer, count)


def clamp(out, buffer, min_scalar, max_scalar, count):
    return _tile("clamp", out, buffer, min_scalar, max_scalar, count)


def clamp_max(out, buffer, scalar_value, count):
    return _tile("clamp_max", out, buffer, scalar_value, count)


def clamp_min(out, buffer, scalar_value, count):
    return _tile("clamp_min", out, buffer, scalar_value, count)


def compare(dst, src0, src1, mode):
    """Bit k of dst = src0[k] mode src1[k], for mode EQ, NE, GT, GE, LT, LE."""
    return _tile("compare", dst, src0, src1, mode)


def select(dst, selMask, src0, src1, selMode):
    return _tile("select", dst, selMask, src0, src1, selMode)


def createvecindex(dst, firstValue):
    return _tile("createvecindex", dst, firstValue)


def arith_progression(buffer, first_value, diff_value, count):
    return _tile("arith_progression", buffer, first_value, diff_value, count)


def broadcast(dst, src, axis=None, tmp=None):
    if axis is not None and (isinstance(axis, bool) or not isinstance(axis, int) or axis not in (0, 1)):
        raise error_class(ValueError)(f"axis must be 0 or 1, but {axis!r} is given")
    return _tile("broadcast", dst, src, 2 if axis is None else axis)


def row_expand_mul(dst, src0, src1, tmp=None):
    return _tile("row_expand_mul", dst, src0, src1)


def row_expand_mul_experiment(dst, src0, src1, tmp=None):
    return _tile("row_expand_mul_experiment", dst, src0, src1, tmp is None)


def row_expand_sub_experiment(dst, src0, src1, tmp=None):
    return _tile("row_expand_sub_experiment", dst, src0, src1, tmp is None)


def row_expand_div_experiment(dst, src0, src1, tmp=None):
    return _tile("row_expand_div_experiment", dst, src0, src1, tmp is None)


def brcb_experiment(dst, src, repeat_times, dst_blk_stride, dst_repeat_stride):
    return _tile("brcb_experiment", dst, src, repeat_times, dst_blk_stride, dst_repeat_stride)


brcb = brcb_experiment


def gather(dst, src, src_offset, src_base_addr):
    """dst[k] = the element at byte src_offset[k] + src_base_addr of src."""
    return _tile("gather", dst, src, src_offset, src_base_addr)


def gatherb(dst, src0, offset, repeat_time, dst_blk_stride, dst_rep_stride):
    return _tile("gatherb", dst, src0, offset, repeat_time, dst_blk_stride, dst_rep_stride)


def gather_mask(dst, src, src1Pattern):
    if isinstance(src1Pattern, str):
        return _tile("gather_mask", dst, src, src1Pattern)
    if getattr(src1Pattern, "dtype", None) not in ("uint32", "int32"):
        raise error_class(AssertionError)("the pattern of T.tile.gather_mask is a string or a uint32 buffer")
    return _tile("gather_mask_index", dst, src, src1Pattern)


def gathermask_experiment(dst, src0, src1Pattern, reduceMode, mask, GatherMaskParams, rsvdCnt):
    return _tile("gathermask_experiment", dst, src0, src1Pattern, bool(reduceMode), mask, list(GatherMaskParams), rsvdCnt)


def sort32(dst, src0, src1):
    return _tile("sort32", dst, src0, src1)


def sort(dst, src, actual_num):
    return _tile("sort", dst, src, actual_num)


def topk(dst, src, K, actual_num):
    return _tile("topk", dst, src, K, actual_num)


def merge_sort(dst, src0, src1=None, src2=None, src3=None):
    lists = [src for src in (src0, src1, src2, src3) if src is not None]
    if len(lists) < 2:
        raise error_class(ValueError)(f"T.tile.merge_sort merges 2 to 4 lists, but {len(lists)} is given")
    return _tile("merge_sort", dst, *lists)


def init_sort_buf(buffer, num, rsv):
    return _tile("init_sort_buf", buffer, num, rsv)


def _block_reduce(name):
    def operation(dst, src, repeat, mask, dstPepStride, srcBlkStride, srcRepStride):
        return _tile(name, dst, src, repeat, mask, dstPepStride, srcBlkStride, srcRepStride)

    operation.__name__ = name
    return operation


block_reduce_max = _block_reduce("block_reduce_max")
block_reduce_min = _block_reduce("block_reduce_min")
block_reduce_sum = _block_reduce("block_reduce_sum")


def wholereducemax(dst, src, mask, repeattimes, dstrepstride, srcblkstride, srcrepstride, ReduceOrder="ORDER_VALUE_INDEX"):
    return _tile("wholereducemax", dst, src, mask, repeattimes, dstrepstride, srcblkstride, srcrepstride, ReduceOrder)


def wholereducemin(dst, src, mask, repeattimes, dstrepstride, srcblkstride, srcrepstride, ReduceOrder="ORDER_VALUE_INDEX"):
    return _tile("wholereducemin", dst, src, mask, repeattimes, dstrepstride, srcblkstride, srcrepstride, ReduceOrder)


def wholereducesum(dst, src, mask, repeattimes, dstrepstride, srcblkstride, srcrepstride):
    return _tile("wholereducesum", dst, src, mask, repeattimes, dstrepstride, srcblkstride, srcrepstride)


def bilinear_interpolation(
    dst, src0, src0_offset, src1, mask, h_repeat, repeat_mode, dst_blk_stride, v_r_offset, v_repeat
):
    return _tile(
        "bilinear_interpolation", dst, src0, src0_offset, src1, mask, h_repeat, bool(repeat_mode), dst_blk_stride,
        v_r_offset, v_repeat,
    )  # fmt: skip


def atomic_add(dst, src):
    """dst (in GM) += src (in UB or L0C), each element atomically."""
    parser = context.parser("T.tile.atomic_add")
    operation = parser.builder.atomic_add(dst, src)
    parser.made.append(operation)
    return operation


def sub_experiment(dst, src0, src1, count):
    return _tile("sub_experiment", dst, src0, src1, count)


def abs_experiment(dst, src, count):
    return _tile("abs_experiment", dst, src, count)


def mins_experiment(dst, src, scalarValue, count):
    return _tile("mins_experiment", dst, src, scalarValue, count)


def reduce_sum_experiment(dst, src, count):
    return _tile("reduce_sum_experiment", dst, src, count)


def reduce_sum_mask_experiment(dst, src, mask, repeatTime, srcRepStride):
    return _tile("reduce_sum_mask_experiment", dst, src, mask, repeatTime, srcRepStride)


def fill_experiment(dst, value, mask, repeatTimes, dstBlockStride, dstRepeatStride):
    return _tile("fill_experiment", dst, value, list(mask), repeatTimes, dstBlockStride, dstRepeatStride)


def sum_experiment(dst, src, sumParams):
    return _tile("sum_experiment", dst, src, list(sumParams))


def datacachecleanandinvalid_experiment(dst, CacheLine, DcciDst):
    return _tile("datacachecleanandinvalid_experiment", dst, CacheLine, DcciDst)


def __getattr__(name):
    if name.startswith("__"):
        raise AttributeError(name)
    raise AttributeError(f"there is no T.tile.{name}")
