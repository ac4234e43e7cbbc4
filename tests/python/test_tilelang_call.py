# Copyright 2026 The hostnpu Authors
# SPDX-License-Identifier: Apache-2.0
"""Calling kernels: tensors of every kind, roles, symbolic sizes, workspaces, and what is refused."""

import subprocess
import sys
import textwrap
import threading

import numpy as np
import pytest

pytest.importorskip("hostnpu._native", exc_type=ImportError)

import hostnpu  # noqa: E402
import hostnpu.tilelang as tilelang  # noqa: E402
import hostnpu.tilelang.language as T  # noqa: E402
from tilelang_kernels import counter_func, refuse  # noqa: E402

BLOCK = 64


def add_func(first="C"):
    """C[n] = A[n] + B[n]; the output stands first or last."""
    n = T.symbolic("n")

    if first == "C":

        @T.prim_func
        def main(C: T.Tensor((n,), "float32"), A: T.Tensor((n,), "float32"), B: T.Tensor((n,), "float32")):
            with T.Kernel(T.ceildiv(n, 2 * BLOCK), is_npu=True) as (cid, vid):
                a = T.alloc_ub((BLOCK,), "float32")
                b = T.alloc_ub((BLOCK,), "float32")
                start = (cid * 2 + vid) * BLOCK
                T.copy(A[start], a)
                T.copy(B[start], b)
                T.tile.add(a, a, b)
                T.copy(a, C[start])

        return main

    @T.prim_func
    def main(A: T.Tensor((n,), "float32"), B: T.Tensor((n,), "float32"), C: T.Tensor((n,), "float32")):
        with T.Kernel(T.ceildiv(n, 2 * BLOCK), is_npu=True) as (cid, vid):
            a = T.alloc_ub((BLOCK,), "float32")
            b = T.alloc_ub((BLOCK,), "float32")
            start = (cid * 2 + vid) * BLOCK
            T.copy(A[start], a)
            T.copy(B[start], b)
            T.tile.add(a, a, b)
            T.copy(a, C[start])

    return main


@pytest.fixture(scope="module")
def add():
    return tilelang.compile(add_func("A"), out_idx=-1)


@pytest.mark.parametrize("n", [0, 1, 7, 8, 9, 63, 64, 65, 127, 128, 129, 1000, 13243])
def test_ragged_sizes_are_exact(add, n):
    rng = np.random.default_rng(n)
    a, b = rng.standard_normal((2, n)).astype(np.float32)
    result = add(a, b)
    assert isinstance(result, np.ndarray) and result.dtype == np.float32
    np.testing.assert_array_equal(result, a + b)


def test_torch_gives_torch(add):
    torch = pytest.importorskip("torch")
    a, b = torch.randn(2, 333).unbind(0)
    result = add(a, b)
    assert type(result) is torch.Tensor
    assert torch.equal(result, a + b)


class Foreign:
    """A tensor of some other library."""

    def __init__(self, array):
        self.array = array

    def __dlpack__(self, **options):
        return self.array.__dlpack__()

    def __dlpack_device__(self):
        return (1, 0)


def test_a_foreign_tensor_gives_a_hostnpu_tensor(add):
    a = np.arange(100, dtype=np.float32)
    result = add(Foreign(a), Foreign(a))
    assert isinstance(result, hostnpu.Tensor)
    assert result.shape == (100,) and result.dtype == "float32"
    np.testing.assert_array_equal(np.asarray(result), a + a)
    np.testing.assert_array_equal(np.from_dlpack(result), a + a)


def test_each_hostnpu_tensor_has_memory_of_its_own(add):
    inputs = [np.full(100, k, dtype=np.float32) for k in range(32)]
    results = [add(Foreign(a), Foreign(a)) for a in inputs]
    for a, result in zip(inputs, results):
        np.testing.assert_array_equal(np.asarray(result), a + a)


def test_a_hostnpu_tensor_is_copied_when_a_copy_is_asked_for_and_only_then(add):
    a = np.arange(10, dtype=np.float32)
    result = add(Foreign(a), Foreign(a))
    view = np.asarray(result)
    assert np.shares_memory(view, np.from_dlpack(result))
    for copy in (np.array(result), np.from_dlpack(result, copy=True), np.asarray(result, dtype=np.float64)):
        assert not np.shares_memory(copy, view)
        np.testing.assert_array_equal(copy, 2 * a)
    assert np.asarray(result, dtype=np.float32).ctypes.data == view.ctypes.data
    with pytest.raises(ValueError, match="by a copy"):
        np.asarray(result, dtype=np.float64, copy=False)
    del result
    np.testing.assert_array_equal(view, 2 * a)  # the array keeps the memory


def test_a_hostnpu_tensor_refuses_what_it_cannot_give(add):
    a = np.arange(10, dtype=np.float32)
    result = add(Foreign(a), Foreign(a))
    with pytest.raises(BufferError, match="another device"):
        result.__dlpack__(dl_device=(2, 0))
    with pytest.raises(BufferError, match="no stream"):
        result.__dlpack__(stream=1)
    with pytest.raises(TypeError, match="no argument 'versoin'"):
        result.__dlpack__(versoin=1)
    assert '"dltensor"' in repr(result.__dlpack__(max_version=(0, 8)))
    assert '"dltensor_versioned"' in repr(result.__dlpack__(max_version=(1, 1)))


def copy_kernel(dtype):
    @T.prim_func
    def main(A: T.Tensor((64,), dtype), Out: T.Tensor((64,), dtype)):
        with T.Kernel(1, is_npu=True) as (cid, vid):
            a = T.alloc_ub((64,), dtype)
            T.copy(A, a)
            T.copy(a, Out)

    return tilelang.compile(main, out_idx=1)


def test_numpy_arrays_of_bfloat16_go_in_and_come_out():
    bfloat16 = pytest.importorskip("ml_dtypes").bfloat16
    a = np.arange(64).astype(bfloat16)
    kernel = copy_kernel("bfloat16")
    result = kernel(a)
    assert isinstance(result, np.ndarray) and result.dtype == bfloat16
    np.testing.assert_array_equal(result, a)
    torch = pytest.importorskip("torch")
    foreign = kernel(Foreign(torch.arange(64).bfloat16()))
    assert np.asarray(foreign).dtype == bfloat16
    np.testing.assert_array_equal(np.asarray(foreign), a)


def test_bool_tensors_go_in_and_come_out():
    a = np.arange(64) % 3 == 0
    result = copy_kernel("bool")(a)
    assert result.dtype == np.bool_
    np.testing.assert_array_equal(result, a)


def test_arguments_are_passed_by_position(add):
    a = np.ones(50, dtype=np.float32)
    with pytest.raises(TypeError, match="by position"):
        add(a, B=a)
    with pytest.raises(TypeError, match="not compiled yet"):
        hostnpu._native.Callable()(a, a)
    np.testing.assert_array_equal(add(a, a), 2)


@pytest.mark.parametrize(
    "dtype, fitting, others",
    [("int8", [-128, 127], [128, -129]), ("uint16", [0, 65535], [-1, 65536]), ("int32", [2**31 - 1, -(2**31)], [2**31])],
)
def test_a_number_that_does_not_fit_its_parameter_is_refused(dtype, fitting, others):
    @T.prim_func
    def main(value: getattr(T, dtype), Out: T.Tensor((32,), "int32")):
        with T.Kernel(1, is_npu=True) as (cid, vid):
            a = T.alloc_ub((32,), "int32")
            T.tile.fill(a, T.cast(value, "int32"))
            T.copy(a, Out)

    kernel = tilelang.compile(main, out_idx=1)
    for value in fitting:
        for given in (value, np.int64(value)):
            np.testing.assert_array_equal(np.asarray(kernel(given)), np.full(32, value))
    for value in others:
        refuse(lambda: kernel(value), ValueError, "'value'", dtype, f"{value} does not fit")  # noqa: B023


def test_outputs_that_are_passed_are_written_and_returned(add):
    a = np.ones(50, dtype=np.float32)
    out = np.zeros(50, dtype=np.float32)
    assert add(a, a, out) is out
    np.testing.assert_array_equal(out, 2)


def test_a_torch_tensor_that_is_negated_as_it_is_read_is_refused(add):
    torch = pytest.importorskip("torch")
    negated = torch.tensor([1.0 + 2.0j]).conj().imag
    assert negated.is_neg() and negated.is_contiguous()
    refuse(lambda: add(negated, torch.ones(1)), ValueError, "argument 1", "'A'", "resolve_neg()")
    assert torch.equal(add(negated.resolve_neg(), torch.ones(1)), torch.tensor([-1.0]))


def test_a_torch_tensor_without_memory_on_the_host_is_named(add):
    torch = pytest.importorskip("torch")
    a = torch.ones(50)
    refuse(lambda: add(a, torch.ones(50, device="meta")), ValueError, "parameter 'B'", "meta")
    refuse(lambda: add(a, torch.ones(50).to_sparse()), ValueError, "parameter 'B'", "storage")


def test_one_tensor_may_be_two_inputs(add):
    a = np.arange(130, dtype=np.float32)
    np.testing.assert_array_equal(add(a, a), 2 * a)


def test_what_does_not_fit_is_named(add):
    a = np.ones(50, dtype=np.float32)
    refuse(lambda: add(a), ValueError, "takes the 2 inputs (A, B), or the inputs and all outputs (A, B, C)", "1 arguments")
    refuse(lambda: add(a, a, a, a), ValueError, "4 arguments are given")
    refuse(lambda: add(a, a.astype(np.float64)), ValueError, "Buffer dtype mismatch: parameter 'B'", "float64")
    refuse(lambda: add(a, np.ones(100, dtype=np.float32)[::2]), ValueError, "parameter 'B'", "not contiguous")
    refuse(lambda: add(a, a.reshape(1, 50)), ValueError, "parameter 'B'", "(1, 50)")
    refuse(lambda: add(a, np.ones(51, dtype=np.float32)), ValueError, "parameter 'B'", "n = 50", "(51,)")
    refuse(lambda: add(a, 3), TypeError, "parameter 'B'", "a int is given")
    refuse(lambda: add(a, a.astype(">f4")), ValueError, "parameter 'B'", "native byte order")
    refuse(lambda: add(a, a.astype(object)), ValueError, "parameter 'B'", "ndarray")
    frozen = np.zeros(50, dtype=np.float32)
    frozen.flags.writeable = False
    refuse(lambda: add(a, a, frozen), ValueError, "output 'C'", "read-only")


def test_an_output_may_stand_before_the_input_that_fixes_its_size():
    kernel = tilelang.compile(add_func(), out_idx=[0])
    a = np.arange(77, dtype=np.float32)
    np.testing.assert_array_equal(kernel(a, a), 2 * a)


def test_calls_from_several_threads(add):
    failures = []

    def work(seed):
        a = np.full(1000 + seed, seed, dtype=np.float32)
        for _ in range(20):
            if not np.array_equal(add(a, a), 2 * a):
                failures.append(seed)

    threads = [threading.Thread(target=work, args=(seed,)) for seed in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures


# -- roles ------------------------------------------------------------------------------------------------


def test_index_errors_name_parameters():
    func = add_func("A")
    refuse(lambda: tilelang.compile(func, out_idx=[3]), ValueError, "out_idx holds 3", "3 parameters: 0 to 2, or -3 to -1")
    refuse(lambda: tilelang.compile(func, out_idx=[2, -1]), ValueError, "names parameter 2 'C' twice (2 and -1)")
    refuse(lambda: tilelang.compile(func, out_idx=[2], workspace_idx=[-1]), ValueError, "parameter 2 'C' is in out_idx and in workspace_idx")
    refuse(lambda: tilelang.compile(func, out_idx="C"), TypeError, "out_idx is an integer or a list")
    refuse(lambda: tilelang.compile(func, out_idx=[True]), TypeError, "True")
    refuse(
        lambda: tilelang.compile(func, out_idx=[-2]),
        ValueError,
        "parameter 1 'B'",
        "declared output but is read before any write",
        "'C' is an input but written",
        "out_idx=[2]",
    )


def test_options_are_checked():
    func = add_func("A")
    refuse(lambda: tilelang.compile(func, target="cuda"), ValueError, "target", "'cuda'")
    refuse(lambda: tilelang.compile(func, execution_backend="nvrtc"), ValueError, "execution_backend", "'nvrtc'")
    refuse(lambda: tilelang.compile(func, pass_configs={"tl.x": 1}), AttributeError, "Invalid config option 'tl.x'")
    assert callable(tilelang.compile(add_func("A"), out_idx=-1, fold_workspaces=False))
    refuse(lambda: tilelang.jit(func), ValueError, "Use tilelang.jit to decorate prim_func is not supported yet")


# -- workspaces -------------------------------------------------------------------------------------------


def chain_func(alloc_inside=False):
    """Out = 4 * A through two scratch tensors, one of them named like an output."""
    n = T.symbolic("n")
    padded = (n + 63) // 64 * 64

    @T.prim_func
    def main(
        ws_dv: T.Tensor((padded,), "float32"),
        A: T.Tensor((n,), "float32"),
        second: T.Tensor((2, padded), "float32"),
        Out: T.Tensor((n,), "float32"),
    ):
        with T.Kernel(1, is_npu=True) as (cid, vid):
            a = T.alloc_ub((BLOCK,), "float32")
            if vid == 0:
                for k in range(T.ceildiv(n, BLOCK)):
                    T.copy(A[k * BLOCK], a)
                    T.tile.add(a, a, a)
                    T.copy(a, ws_dv[k * BLOCK])
                for k in range(T.ceildiv(n, BLOCK)):
                    T.copy(ws_dv[k * BLOCK], a)
                    T.tile.add(a, a, a)
                    T.copy(a, second[1, k * BLOCK])
                for k in range(T.ceildiv(n, BLOCK)):
                    T.copy(second[1, k * BLOCK], a)
                    T.copy(a, Out[k * BLOCK])

    return main


@pytest.fixture(scope="module")
def chain():
    return tilelang.compile(chain_func(), out_idx=[3], workspace_idx="auto", workspace_init={"second": 1.5})


def test_automatic_workspaces_are_found_whatever_their_names(chain):
    assert chain.workspaces == ["ws_dv", "second"]
    assert chain.workspace_idx == [0, 2]
    for n in (1, 64, 100):
        a = np.arange(n, dtype=np.float32)
        np.testing.assert_array_equal(chain(a), 4 * a)


def test_the_plan_says_what_a_call_leases(chain):
    plan = chain.workspace_plan((100,))
    assert [(row["name"], row["shape"], row["bytes"]) for row in plan] == [
        ("ws_dv", (128,), 512),
        ("second", (2, 128), 1024),
    ]
    first, last = sorted(plan, key=lambda row: row["offset"])
    assert first["offset"] == 0
    assert last["offset"] == first["bytes"] + 512  # what guards the first
    assert chain.workspace_bytes((100,)) == 1024 + 512 + 512 + 512, "512 free bytes behind each"
    assert chain.workspace_bytes((101,), declared=True) == 1536
    assert "second" in str(plan) and "2x128" in str(plan)
    assert plan.to_html().startswith("<!doctype html>") and "http" not in plan.to_html()
    refuse(lambda: chain.workspace_plan(), ValueError, "symbolic size")


def test_a_workspace_that_nothing_declares_is_named():
    kernel = tilelang.compile(chain_func(), out_idx=[3], workspace_idx=[0])
    refuse(
        lambda: kernel(np.ones(10, dtype=np.float32)),
        ValueError,
        "parameter 2 `second` is neither passed nor declared",
        "workspace_idx=[0, 2] would be right",
    )


def test_workspace_init_errors_name_the_parameter():
    func = chain_func()
    refuse(lambda: tilelang.compile(func, out_idx=3, workspace_idx=[0, 2], workspace_init={1: "zero"}), ValueError, "'A'", "no workspace")
    refuse(lambda: tilelang.compile(func, out_idx=3, workspace_idx=[0, 2], workspace_init={"x": 0}), ValueError, "'x'", "no parameter")
    refuse(lambda: tilelang.compile(func, out_idx=3, workspace_idx=[0, 2], workspace_init={0: "ones"}), ValueError, "'ones'")


@pytest.mark.parametrize("init, expected", [("zero", 1.0), (0.0, 1.0), (2.5, 3.5)])
def test_initial_contents_hold_for_every_call(init, expected):
    kernel = tilelang.compile(counter_func(), out_idx=[0], workspace_idx=[1], workspace_init={1: init})
    for _ in range(3):
        np.testing.assert_array_equal(kernel(), expected)


def test_a_persistent_zero_workspace_left_dirty_raises():
    kernel = tilelang.compile(counter_func(), out_idx=[0], workspace_idx=[1], workspace_init={"counter": "persistent-zero"})
    refuse(kernel, hostnpu.WorkspaceError, '"counter"] is persistent-zero', 'kernel "main" leaves byte 2 as 0x80')


def test_scratch_allocated_inside_the_kernel_is_no_parameter():
    n = T.symbolic("n")

    @T.prim_func
    def main(A: T.Tensor((n,), "float32"), Out: T.Tensor((n,), "float32")):
        with T.Kernel(2, is_npu=True) as (cid, vid):
            scratch = T.alloc_workspace((BLOCK,), "float32", init="zero")
            a = T.alloc_ub((BLOCK,), "float32")
            if vid == 0:
                T.copy(A[cid * BLOCK], a)
                T.copy(a, scratch[0])
                T.tile.fill(a, 0.0)
                T.copy(scratch[0], a)
                T.copy(a, Out[cid * BLOCK])

    kernel = tilelang.compile(main, out_idx=[1])
    a = np.arange(100, dtype=np.float32)
    np.testing.assert_array_equal(kernel(a), a)
    assert kernel.workspaces == ["scratch"]
    assert kernel.workspace_bytes((100,), declared=True) == 2 * BLOCK * 4


# -- scalars, bounds, faults ------------------------------------------------------------------------------


def test_scalar_parameters():
    @T.prim_func
    def main(A: T.Tensor((BLOCK,), "float32"), count: T.int32, factor: T.float32, Out: T.Tensor((BLOCK,), "float32")):
        with T.Kernel(1, is_npu=True) as (cid, vid):
            a = T.alloc_ub((BLOCK,), "float32")
            T.copy(A[0], a)
            for _i in range(count):
                T.tile.mul(a, a, factor)
            T.copy(a, Out[0])

    kernel = tilelang.compile(main, out_idx=-1)
    a = np.arange(BLOCK, dtype=np.float32)
    np.testing.assert_array_equal(kernel(a, 3, 0.5), a / 8)
    np.testing.assert_array_equal(kernel(a, np.int64(0), 2), a)
    refuse(lambda: kernel(a, 2**40, 0.5), ValueError, "parameter 'count'", "does not fit")
    refuse(lambda: kernel(a, "3", 0.5), TypeError, "parameter 'count'", "a str is given")


def test_a_declared_bound_beyond_all_memory_is_refused_only_where_the_call_needs_it():
    bound = (1 << 40, 64)

    @T.prim_func
    def main(A: T.Tensor(bound, "float32"), Out: T.Tensor(bound, "float32"), Row: T.Tensor((64,), "float32")):
        with T.Kernel(1, is_npu=True) as (cid, vid):
            a = T.alloc_ub((64,), "float32")
            T.copy(A[1, :], a)
            T.copy(a, Row)
            T.copy(a, Out[1, :])

    kernel = tilelang.compile(main, out_idx=[1, 2], strict_shapes=False)
    a = np.arange(256, dtype=np.float32).reshape(4, 64)
    with pytest.warns(UserWarning, match="has shape"):
        out, row = kernel(a, np.zeros((4, 64), np.float32), np.zeros(64, np.float32))
    np.testing.assert_array_equal(out[1], a[1])
    np.testing.assert_array_equal(row, a[1])
    refuse(lambda: kernel(a), ValueError, "'Out'", "more than")


def test_a_declared_upper_bound_is_a_warning_and_an_access_beyond_the_tensor_is_caught():
    @T.prim_func
    def main(A: T.Tensor((1 << 20,), "float32"), at: T.int32, Out: T.Tensor((8,), "float32")):
        with T.Kernel(1, is_npu=True) as (cid, vid):
            a = T.alloc_ub((8,), "float32")
            T.copy(A[at : at + 8], a)
            T.copy(a, Out[0])

    strict = tilelang.compile(main, out_idx=-1)
    a = np.arange(24, dtype=np.float32)
    refuse(lambda: strict(a, 0), ValueError, "parameter 'A'", "(1048576,)", "(24,)")
    kernel = tilelang.compile(main, out_idx=-1, strict_shapes=False)
    with pytest.warns(UserWarning, match="parameter 'A'"):
        np.testing.assert_array_equal(kernel(a, 16), a[16:])
    with pytest.raises(hostnpu.KernelError) as caught:
        kernel(a, 4096)
    assert '"A"' in str(caught.value), str(caught.value)


def test_flags_that_do_not_match_are_reported_at_once():
    script = textwrap.dedent(
        """
        import hostnpu, hostnpu.tilelang as tilelang, hostnpu.tilelang.language as T
        import numpy as np

        @T.prim_func
        def main(A: T.Tensor((16, 16), "float16"), Out: T.Tensor((16, 16), "float32")):
            with T.Kernel(1, is_npu=True) as (cid, vid):
                l1 = T.alloc_L1((16, 16), "float16")
                c = T.alloc_L0C((16, 16), "float32")
                ub = T.alloc_ub((16, 16), "float32")
                with T.Scope("C"):
                    T.copy(A[0, 0], l1)
                    T.gemm_v0(l1, l1, c, init=True)
                    T.copy(c, Out[0, 0])
                    for _ in range(4):
                        T.set_cross_flag("FIX", 0)
                with T.Scope("V"):
                    for _ in range(5):
                        T.wait_cross_flag(0)

        kernel = tilelang.compile(main, out_idx=-1)
        try:
            kernel(np.eye(16, dtype=np.float16))
        except hostnpu.KernelError as error:
            print(error)
            print("GOES ON")
        """
    )
    path = tmp_script(script)
    run = subprocess.run([sys.executable, path], capture_output=True, text=True, timeout=120, env=package_path())
    assert "CrossCoreWaitFlag(0)" in run.stdout, run.stdout + run.stderr
    assert "GOES ON" in run.stdout


def tmp_script(text):
    import tempfile

    with tempfile.NamedTemporaryFile("w", suffix=".py", delete=False) as file:
        file.write(text)
    return file.name


def package_path():
    import os
    import pathlib

    root = pathlib.Path(hostnpu.__file__).resolve().parent.parent
    return {**os.environ, "PYTHONPATH": str(root)}


# -- factories, caches, profiling -------------------------------------------------------------------------


def test_a_factory_remembers_its_kernels():
    built = []

    @tilelang.jit(out_idx=-1)
    def factory(block):
        built.append(block)
        return add_func("A")

    assert factory(1) is factory(1)
    factory(block=2)
    assert built == [1, 2]
    tilelang.cache.clear_cache()
    factory(1)
    assert built == [1, 2, 1]
    assert factory.__jit_impl__.out_idx == -1
    assert factory.__wrapped__.__name__ == "factory"


def test_the_disk_cache_serves_a_second_compilation():
    tilelang.compile(add_func("A"), out_idx=-1)
    again = tilelang.compile(add_func("A"), out_idx=-1)
    assert again.was_cached


def test_every_backend_gives_the_same_results():
    a = np.arange(40, dtype=np.float32)
    for backend in ("cython", "ctypes", "dlpack", "torch", "auto"):
        kernel = tilelang.compile(chain_func(), out_idx=[3], workspace_idx=[0, 2], execution_backend=backend, target="pto")
        np.testing.assert_array_equal(kernel(a), 4 * a)


def test_the_profiler_checks_and_times(add):
    pytest.importorskip("torch")
    assert tilelang.do_bench(lambda: None, warmup=1, rep=1) >= 0
    with pytest.raises(AssertionError):
        tilelang.do_bench(lambda: None, return_mode="mode")

    @T.prim_func
    def main(A: T.Tensor((BLOCK,), "float32"), Out: T.Tensor((BLOCK,), "float32")):
        with T.Kernel(1, is_npu=True) as (cid, vid):
            a = T.alloc_ub((BLOCK,), "float32")
            T.copy(A[0], a)
            T.tile.add(a, a, a)
            T.copy(a, Out[0])

    profiler = tilelang.compile(main, out_idx=-1).get_profiler()
    profiler.assert_allclose(lambda a: a + a)
    with pytest.raises(AssertionError, match="differ from the reference"):
        profiler.assert_allclose(lambda a: a + a + 1)
    assert profiler.do_bench(warmup=1, rep=1) > 0


def test_autotune_reports_the_configurations_that_fail(capsys):
    pytest.importorskip("torch")

    @tilelang.autotune(configs=[{"block": 64}, {"block": 10**6}], ref_prog=lambda a: a + a, warmup=1, rep=1)
    @tilelang.jit(out_idx=-1)
    def factory(n, block=64):
        @T.prim_func
        def main(A: T.Tensor((n,), "float32"), Out: T.Tensor((n,), "float32")):
            with T.Kernel(T.ceildiv(n, block), is_npu=True) as (cid, vid):
                a = T.alloc_ub((block,), "float32")
                T.copy(A[cid * block], a)
                T.tile.add(a, a, a)
                T.copy(a, Out[cid * block])

        return main

    kernel = factory(1000)
    assert kernel.config == {"block": 64} and kernel.latency > 0
    assert "{'block': 1000000} failed" in capsys.readouterr().err
    assert kernel.get_tuner_result()[1] == {"block": 64}


def test_the_package_does_not_import_torch():
    code = "import sys, hostnpu, hostnpu.tilelang, hostnpu.standin; print('torch' in sys.modules, 'tilelang' in sys.modules)"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120, env=package_path())
    assert run.stdout.strip() == "False False", run.stderr
