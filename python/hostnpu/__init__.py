# Copyright 2026 The hostnpu Authors
# SPDX-License-Identifier: Apache-2.0
"""Ascend NPU operators on a CPU host, with workspaces that manage themselves."""

__version__ = "0.1.0"


def _find_native() -> None:
    """In a source tree the extension lies in the build tree; HOSTNPU_BUILD_DIR names one."""
    import glob
    import os

    here = os.path.dirname(__file__)
    if glob.glob(os.path.join(here, "_native*.so")):
        return
    named = os.environ.get("HOSTNPU_BUILD_DIR")
    builds = [named] if named else sorted(glob.glob(os.path.join(here, "..", "..", "build", "*")), key=_build_order)
    for build in builds:
        folder = os.path.abspath(os.path.join(build, "python", "hostnpu"))
        if glob.glob(os.path.join(folder, "_native*.so")):
            __path__.append(folder)
            return


def _build_order(path: str):
    return not path.endswith("release"), path


_find_native()


def __getattr__(name):
    """hostnpu.Tensor and the errors, without loading the extension before they are asked for."""
    if name == "Tensor":
        from ._native import Tensor

        return Tensor
    if name in ("HostnpuError", "KernelError", "WorkspaceError"):
        from .tilelang import errors

        return getattr(errors, name)
    raise AttributeError(f"module 'hostnpu' has no attribute '{name}'")
