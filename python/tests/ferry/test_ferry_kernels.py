# SPDX-License-Identifier: Apache-2.0
"""Stand-ins for kernels that are Python functions."""

from __future__ import annotations

import struct
import sys
import threading
from typing import Any

import pytest

import ferry


def use_of(name: str) -> ferry.KernelUse:
    return next(use for use in ferry.kernel_uses() if use.name == name)


def test_runs_in_the_order_of_the_stream(stream: ferry.Stream) -> None:
    @ferry.kernel("py_add")
    def add(launch: ferry.Launch) -> None:
        address, count, summand = launch.unpack("PQf")
        launch.array(address, count, "float32")[:] += summand

    with ferry.Buffer(16) as buffer:
        first = ferry.pinned_empty(4, "float32")
        second = ferry.pinned_empty(4, "float32")
        args = struct.pack("PQf", buffer.address, 4, 1.5)
        buffer.fill(0)
        ferry.launch_kernel("py_add", args, stream)
        ferry.copy_async(first, buffer, stream=stream)
        ferry.launch_kernel("py_add", args, stream)
        ferry.copy_async(second, buffer, stream=stream)
        stream.synchronize()
    assert first.tolist() == [1.5] * 4
    assert second.tolist() == [3.0] * 4


def test_knows_its_launch(stream: ferry.Stream) -> None:
    seen = []

    @ferry.kernel("py_seen")
    def see(launch: ferry.Launch) -> None:
        seen.append((launch.blocks, launch.args, launch.name, launch.device, threading.get_ident()))

    ferry.launch_kernel("py_seen", b"some bytes", stream, blocks=7)
    stream.synchronize()
    assert seen[0][:4] == (7, b"some bytes", "py_seen", 0)
    assert seen[0][4] != threading.get_ident()
    assert use_of("py_seen").launches == 1


def test_a_number_is_a_failure(stream: ferry.Stream) -> None:
    @ferry.kernel("py_fails")
    def fail(launch: ferry.Launch) -> int:
        return 42

    ferry.launch_kernel("py_fails", b"x", stream)
    with pytest.raises(ferry.TaskFailedError, match="kernel py_fails returned 42") as failure:
        stream.synchronize()
    assert failure.value.code == 507015
    assert use_of("py_fails").failures == 1


@pytest.mark.parametrize("result", ["an exception", "no number"])
def test_an_exception_is_a_failure(
    stream: ferry.Stream, monkeypatch: pytest.MonkeyPatch, result: str
) -> None:
    told: list[Any] = []
    monkeypatch.setattr(sys, "unraisablehook", told.append)

    @ferry.kernel("py_raises")
    def fail(launch: ferry.Launch) -> Any:
        if result == "no number":
            return "text"
        raise KeyError("blocks")

    ferry.launch_kernel("py_raises", b"x", stream)
    with pytest.raises(ferry.TaskFailedError, match="kernel py_raises"):
        stream.synchronize()
    assert len(told) == 1


def test_memory_outside_of_an_allocation_is_refused(stream: ferry.Stream) -> None:
    failures = []

    @ferry.kernel("py_outside")
    def touch(launch: ferry.Launch) -> None:
        (address,) = launch.unpack("P")
        for start, nbytes in ((address, 1 << 40), (1, 8)):
            try:
                launch.memory(start, nbytes)
            except ferry.InvalidArgumentError as failure:
                failures.append(failure)

    with ferry.Buffer(64) as buffer:
        ferry.launch_kernel("py_outside", struct.pack("P", buffer.address), stream)
        stream.synchronize()
    assert len(failures) == 2


def test_a_launch_without_stand_in_says_what_to_do(stream: ferry.Stream) -> None:
    with pytest.raises(ferry.AclError, match=r"py_nobody.*ferryRegisterKernel"):
        ferry.launch_kernel("py_nobody", b"x", stream)


def test_a_removed_stand_in_is_gone(stream: ferry.Stream) -> None:
    ferry.kernel("py_removed")(lambda launch: None)
    ferry.launch_kernel("py_removed", b"x", stream)
    stream.synchronize()
    ferry.unregister_kernel("py_removed")
    assert not use_of("py_removed").is_registered
    with pytest.raises(ferry.AclError):
        ferry.launch_kernel("py_removed", b"x", stream)
    with pytest.raises(ferry.InvalidArgumentError):
        ferry.unregister_kernel("py_removed")


def test_declares_what_it_uses(stream: ferry.Stream) -> None:
    declared = []

    def declare(declaration: ferry.Declaration) -> None:
        (address,) = declaration.unpack("P")
        declaration.writes(address, 64)
        declaration.reads(address, 8)
        declared.append((declaration.blocks, declaration.name))

    @ferry.kernel("py_declares", declare=declare)
    def fill(launch: ferry.Launch) -> None:
        (address,) = launch.unpack("P")
        launch.memory(address, 64)[:] = b"x" * 64

    with ferry.Buffer(64) as buffer:
        ferry.launch_kernel("py_declares", struct.pack("P", buffer.address), stream)
        assert declared == [(1, "py_declares")]
        stream.synchronize()
        assert buffer.tobytes() == b"x" * 64
