# SPDX-License-Identifier: Apache-2.0
"""The pytest plugin on tests of PyTorch code: a finding fails the test that queued the work."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

TESTS = """
import torch

def offload(x, wait):
    host, side = torch.empty(1 << 16).pin_memory(), torch.npu.Stream()
    x.add_(1)
    if wait:
        side.wait_stream(torch.npu.current_stream())
    with torch.npu.stream(side):
        host.copy_(x, non_blocking=True)

def test_before():
    offload(torch.zeros(1 << 16, device="npu"), True)

def test_racy():
    offload(torch.zeros(1 << 16, device="npu"), False)

def test_after():
    offload(torch.zeros(1 << 16, device="npu"), True)
"""


def run_pytest(folder: Path, *options: str) -> subprocess.CompletedProcess[str]:
    (folder / "conftest.py").write_text("import ferry.torch")
    (folder / "test_it.py").write_text(TESTS)
    (folder / "pytest.ini").write_text("[pytest]")
    command = [sys.executable, "-m", "pytest", "-p", "ferry.pytest_plugin", "-p", "no:cacheprovider", "-q"]
    return subprocess.run([*command, *options], cwd=folder, capture_output=True, text=True, env=environment())


def environment() -> dict[str, str]:
    return {name: value for name, value in os.environ.items() if not name.startswith("PYTEST")}


@pytest.mark.parametrize("schedule", ["lazy", "eager"])
def test_the_finding_fails_the_test_that_queued_the_work(tmp_path: Path, schedule: str) -> None:
    run = run_pytest(tmp_path, "--ferry-check", "--ferry-schedule", schedule)
    assert re.findall(r"FAILED test_it.py::(\w+)", run.stdout) == ["test_racy"]
    assert "2 passed" in run.stdout
    assert "stream-race" in run.stdout
    assert "aten::add_" in run.stdout


def test_without_the_check_nothing_fails_and_repetitions_are_numbered(tmp_path: Path) -> None:
    run = run_pytest(tmp_path, "--ferry-repeat", "2")
    assert run.returncode == 0, run.stdout
    assert run.stdout.count("3 passed") == 2
