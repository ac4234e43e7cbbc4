# Copyright 2026 The hostnpu Authors
# SPDX-License-Identifier: Apache-2.0
"""`hostnpu run script.py`: what a script for the NPU finds in place of the packages it imports."""

import os
import subprocess
import sys
import textwrap

import pytest

pytest.importorskip("hostnpu._native", exc_type=ImportError)


def run(script, root, tmp_path, *arguments, cwd=None):
    """Standard output of the script; what it writes to standard error, or another exit, is a failure."""
    path = tmp_path / "program" / "script.py"
    path.parent.mkdir(exist_ok=True)
    path.write_text(textwrap.dedent(script))
    environment = {**os.environ, "PYTHONPATH": str(root / "python")}
    command = [sys.executable, "-m", "hostnpu.run", str(path), *arguments]
    ran = subprocess.run(command, capture_output=True, text=True, timeout=300, env=environment, cwd=cwd or tmp_path)
    assert ran.returncode == 0 and ran.stderr == "", ran.stdout + ran.stderr
    return ran.stdout


def test_a_script_sees_its_own_folder_and_its_own_arguments(root, tmp_path):
    (tmp_path / "queue.py").write_text("raise SystemExit('the module of the folder I stand in')\n")
    (tmp_path / "program").mkdir()
    (tmp_path / "program" / "sibling.py").write_text("value = 7\n")
    script = """
        import queue, sys
        import sibling
        print(sibling.value, sys.argv[1:], hasattr(queue, "Queue"))
    """
    assert run(script, root, tmp_path, "--m", "3", cwd=tmp_path) == "7 ['--m', '3'] True\n"


def test_the_device_is_the_cpu(root, tmp_path):
    pytest.importorskip("torch")
    script = """
        import torch
        import torch_npu
        x = torch.arange(4, device="npu").npu().to("npu:0")
        torch.set_default_device("npu")
        torch.npu.synchronize()
        print((x + torch.ones(4, dtype=torch.int64)).cpu().tolist(), torch.npu.is_available())
    """
    assert run(script, root, tmp_path) == "[1, 2, 3, 4] True\n"


def test_nothing_of_it_is_there_without_the_command(root):
    environment = {**os.environ, "PYTHONPATH": str(root / "python")}
    code = "import hostnpu, sys; print([name for name in ('tilelang', 'torch_npu') if name in sys.modules])"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=environment, timeout=120)
    assert ran.stdout == "[]\n", ran.stdout + ran.stderr
