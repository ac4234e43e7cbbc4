# Copyright 2026 The hostnpu Authors
# SPDX-License-Identifier: Apache-2.0
"""Element types and tensor annotations."""

from __future__ import annotations

from ... import _native

__all__ = ["Tensor", "DataType", "dtype"]


class DataType:
    """An element type. Called, it converts: `T.float32(x)`. As an annotation it is a scalar parameter."""

    def __init__(self, name):
        self.dtype_name = _native.dtype_name(name)

    @property
    def bits(self) -> int:
        return _native.dtype_bits(self.dtype_name)

    @property
    def bytes(self) -> int:
        return (self.bits + 7) // 8

    @property
    def itemsize(self) -> int:
        return self.bytes

    def __call__(self, value=0):
        return _native.cast(value, self.dtype_name)

    def __str__(self):
        return self.dtype_name

    def __repr__(self):
        return f"T.{self.dtype_name}"

    def __eq__(self, other):
        if isinstance(other, DataType):
            return self.dtype_name == other.dtype_name
        if isinstance(other, str):
            try:
                return self.dtype_name == _native.dtype_name(other)
            except ValueError:
                return False
        return NotImplemented

    def __hash__(self):
        return hash(self.dtype_name)


dtype = DataType

for _name in (
    "bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64",
    "float16", "bfloat16", "float32", "float64",
):  # fmt: skip
    globals()[_name] = DataType(_name)
    __all__.append(_name)
half = DataType("float16")
__all__.append("half")
float8_e4m3 = DataType("float8_e4m3fn")
float8_e5m2 = DataType("float8_e5m2")
__all__ += ["float8_e4m3", "float8_e5m2"]


class Tensor:
    """A parameter in global memory: `A: T.Tensor((M, N), "float16")`."""

    def __init__(self, shape, dtype="float32", data=None, strides=None):
        self.tensor_shape = tuple(shape) if isinstance(shape, (list, tuple)) else (shape,)
        self.dtype = _native.dtype_name(dtype)
        if data is not None:
            raise ValueError("T.Tensor(data=...) is not implemented: a parameter's memory is the argument's")
        if strides is not None and [str(stride) for stride in strides] != [str(stride) for stride in self._row_major()]:
            raise ValueError(
                f"T.Tensor has strides {tuple(strides)}, but a parameter is row-major: {tuple(self._row_major())}"
            )

    def _row_major(self):
        strides = [1]
        for size in self.tensor_shape[:0:-1]:
            strides.insert(0, size * strides[0])
        return strides

    @property
    def shape(self):
        return self.tensor_shape

    def __class_getitem__(cls, key):
        if isinstance(key, tuple) and len(key) == 2 and isinstance(key[0], (list, tuple)):
            return cls(key[0], key[1])
        if isinstance(key, tuple) and len(key) >= 2:
            return cls(key[:-1], key[-1])
        return cls(key)

    def __repr__(self):
        return f"T.Tensor({self.tensor_shape}, {self.dtype!r})"
