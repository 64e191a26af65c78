# SPDX-License-Identifier: Apache-2.0
"""Operators as work on streams: when they run, what may wait, what the checker sees, how it is loaded."""

import ctypes
import os
import subprocess
import sys
from pathlib import Path

import torch

import ferry._native
import ferry.torch
from ferry.__main__ import find_program

UNORDERED = """
import ferry.torch, torch
x = torch.zeros(1 << 16, device="npu")
torch.npu.synchronize()
host, side = torch.empty(1 << 16).pin_memory(), torch.npu.Stream()
x.add_(1)
ORDER
with torch.npu.stream(side):
    host.copy_(x, non_blocking=True)
side.synchronize()
print("read", host[0].item())
"""
ORDERED = UNORDERED.replace("ORDER", "side.wait_stream(torch.npu.current_stream())")
UNORDERED = UNORDERED.replace("ORDER", "")


def run(script: str, *command: str, **variables: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [*command, sys.executable, "-c", script],
        env={**os.environ, **variables},
        capture_output=True,
        text=True,
        timeout=300,
    )


def test_an_unordered_copy_reads_old_bytes_under_the_schedule_lazy() -> None:
    assert "read 0.0" in run(UNORDERED, FERRY_SCHEDULE="lazy").stdout
    for schedule in ("lazy", "shuffle:1"):
        assert "read 1.0" in run(ORDERED, FERRY_SCHEDULE=schedule).stdout


def test_the_checker_finds_the_race_and_only_that() -> None:
    report = run(UNORDERED, FERRY_CHECK="1").stderr
    assert "error: stream-race" in report
    assert "<string>:6" in report  # the line of x.add_
    clean = run(ORDERED, FERRY_CHECK="1")
    assert clean.returncode == 0
    assert "error:" not in clean.stderr


def test_a_wait_with_the_interpreter_lock_held_does_not_keep_operators_from_running() -> None:
    x = torch.ones(1 << 16, device="npu")
    y = (x + 1).sum()
    library = ctypes.PyDLL(ferry._native.library_path())  # keeps the lock during calls
    stream = torch.npu.current_stream().npu_stream
    assert library.aclrtSynchronizeStream(ctypes.c_void_p(stream)) == 0
    assert y.item() == 2 << 16


def test_an_operator_runs_after_what_was_submitted_before_it() -> None:
    side = torch.npu.Stream()
    pinned = torch.full((1 << 20,), 3.0).pin_memory()
    with torch.npu.stream(side):
        x = torch.empty(1 << 20, device="npu")
        x.copy_(pinned, non_blocking=True)
        x.mul_(2)
        x.copy_(x + 1)
    side.synchronize()
    assert x[-1].item() == 7


def test_a_copy_to_the_host_that_does_not_block_gives_pinned_memory() -> None:
    x = torch.arange(1000, device="npu") * 2
    host = x.to("cpu", non_blocking=True)
    assert host.is_pinned()
    torch.npu.synchronize()
    assert torch.equal(host, torch.arange(1000) * 2)
    assert not x.to("cpu").is_pinned()


def test_operators_are_captured_and_replayed() -> None:
    x = torch.ones(4, device="npu")
    graph = torch.npu.NPUGraph()
    torch.npu.synchronize()
    with torch.npu.graph(graph):
        y = x * 2
    for value in (5, 6, 7):
        x.fill_(value)
        graph.replay()
        torch.npu.synchronize()
        assert y.tolist() == [2 * value] * 4


def test_it_loads_in_any_way() -> None:
    work = "x = torch.arange(3).to('npu'); print((x + x).tolist())"
    ferry_program = str(find_program(Path(ferry.__file__).parent))
    for script in ("import ferry.torch, torch; ", "import ferry.torch, torch_npu, torch; "):
        assert "[0, 2, 4]" in run(script + work).stdout
    for script in ("import torch, ferry.torch; ", "import torch, torch_npu, ferry, ferry.torch; "):
        assert "[0, 2, 4]" in run(script + work, ferry_program, "run", "--").stdout
    copied = run("import torch; print(torch.arange(3).to('npu').cpu().tolist())", ferry_program, "run", "--")
    assert "[0, 1, 2]" in copied.stdout
