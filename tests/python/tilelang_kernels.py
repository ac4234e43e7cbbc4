# Copyright 2026 The hostnpu Authors
# SPDX-License-Identifier: Apache-2.0
"""What several tests of TileLang kernels ask for."""

import pytest

pytest.importorskip("hostnpu._native", exc_type=ImportError)

import hostnpu.tilelang.language as T  # noqa: E402


def refuse(call, builtin, *texts):
    """The call raises this, and says all of that."""
    with pytest.raises(builtin) as caught:
        call()
    for text in texts:
        assert text in str(caught.value), str(caught.value)


def counter_func():
    """Out = counter + 1, and the counter keeps it."""

    @T.prim_func
    def main(Out: T.Tensor((8,), "float32"), counter: T.Tensor((8,), "float32")):
        with T.Kernel(1, is_npu=True) as (cid, vid):
            a = T.alloc_ub((8,), "float32")
            if vid == 0:
                T.copy(counter[0], a)
                T.tile.add(a, a, 1.0)
                T.copy(a, counter[0])
                T.copy(a, Out[0])

    return main
