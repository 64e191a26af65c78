# SPDX-License-Identifier: Apache-2.0
"""Fixtures shared by the tests of the module acl: two devices, a stream, memory, and fresh processes."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from typing import Callable

# The library reads this at its first call.
os.environ.setdefault("FERRY_DEVICES", "cpu:2")

import acl
import pytest


@pytest.fixture
def device() -> Iterator[int]:
    """Makes device 0 the thread's device."""
    assert acl.rt.set_device(0) == 0
    yield 0
    assert acl.rt.reset_device(0) == 0


@pytest.fixture
def stream(device: int) -> Iterator[int]:
    handle, ret = acl.rt.create_stream()
    assert ret == 0
    yield handle
    assert acl.rt.destroy_stream_force(handle) == 0


Allocate = Callable[[int], int]


@pytest.fixture
def device_memory(device: int) -> Iterator[Allocate]:
    """Allocates device memory that is freed after the test."""
    pointers: list[int] = []

    def allocate(size: int) -> int:
        pointer, ret = acl.rt.malloc(size, 0)
        assert ret == 0
        pointers.append(pointer)
        return pointer

    yield allocate
    for pointer in pointers:
        assert acl.rt.free(pointer) == 0


@pytest.fixture
def pinned_memory(device: int) -> Iterator[Allocate]:
    """Allocates pinned memory that is freed after the test."""
    pointers: list[int] = []

    def allocate(size: int) -> int:
        pointer, ret = acl.rt.malloc_host(size)
        assert ret == 0
        pointers.append(pointer)
        return pointer

    yield allocate
    for pointer in pointers:
        assert acl.rt.free_host(pointer) == 0


@pytest.fixture
def closed(stream: int) -> Iterator[Callable[[], None]]:
    """Blocks the stream until the test calls this: nothing queued on it runs before."""
    event, ret = acl.rt.create_event_with_flag(1)
    assert ret == 0
    other, ret = acl.rt.create_stream()
    assert ret == 0
    assert acl.rt.stream_wait_event(stream, event) == 0
    is_open = False

    def open_it() -> None:
        nonlocal is_open
        if not is_open:
            is_open = True
            assert acl.rt.record_event(event, other) == 0

    yield open_it
    open_it()
    acl.rt.synchronize_stream(stream)
    assert acl.rt.destroy_stream(other) == 0
    assert acl.rt.destroy_event(event) == 0


RunPython = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture
def run_python() -> RunPython:
    """Runs a script in a fresh process and requires it to succeed."""

    def run(script: str, *arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
        done = subprocess.run(
            [sys.executable, "-c", script, *arguments],
            env={**os.environ, **variables},
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done

    return run
