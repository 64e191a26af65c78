# SPDX-License-Identifier: Apache-2.0
"""Fixtures shared by the package's tests: a device, a stream, and a gate that keeps a stream busy without
using a clock."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from typing import Any, Callable

import acl
import pytest

import ferry


@pytest.fixture
def device() -> Iterator[ferry.Device]:
    with ferry.Device(0) as device:
        yield device


@pytest.fixture
def stream(device: ferry.Device) -> Iterator[ferry.Stream]:
    with ferry.Stream() as stream:
        yield stream


class Gate:
    """Work queued on a stream behind a closed gate does not run until the gate is opened."""

    def __init__(self) -> None:
        self._event, code = acl.rt.create_event_with_flag(int(ferry.EventFlag.SYNC))
        ferry.check(code)
        self._opener, code = acl.rt.create_stream()
        ferry.check(code)
        self._is_open = False

    def close(self, stream: ferry.Stream) -> None:
        ferry.check(acl.rt.stream_wait_event(stream.handle, self._event))

    def open(self) -> None:
        if not self._is_open:
            self._is_open = True
            ferry.check(acl.rt.record_event(self._event, self._opener))
            ferry.check(acl.rt.synchronize_stream(self._opener))

    def end(self) -> None:
        self.open()
        ferry.check(acl.rt.destroy_stream(self._opener))
        ferry.check(acl.rt.destroy_event(self._event))


@pytest.fixture
def gate(device: ferry.Device) -> Iterator[Gate]:
    gate = Gate()
    yield gate
    gate.end()


RunPython = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture
def run_python() -> RunPython:
    """Runs a script in a fresh process, with variables of the library."""

    def run(script: str, **variables: str) -> subprocess.CompletedProcess[str]:
        environment: dict[str, Any] = {**os.environ, **variables}
        return subprocess.run(
            [sys.executable, "-X", "dev", "-W", "ignore::ResourceWarning", "-c", script],
            env=environment,
            capture_output=True,
            text=True,
            check=False,
            timeout=100,  # a script that hangs is killed, and fails its test
        )

    return run
