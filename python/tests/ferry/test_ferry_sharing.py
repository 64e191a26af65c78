# SPDX-License-Identifier: Apache-2.0
"""Buffer.share and open_shared. The other process is a fresh one, which receives only bytes."""

from __future__ import annotations

import gc
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any, Callable

import acl
import pytest

import ferry

if TYPE_CHECKING:
    from .conftest import Gate, RunPython

Start = Callable[[str], "subprocess.Popen[bytes]"]

OPEN = """
import sys
import ferry
with ferry.Device(0):
    data = sys.stdin.buffer.readline()[:-1]
    try:
        buffer = ferry.open_shared(data)
    except ferry.AclError as error:
        print(error.code, error.function, flush=True)
        sys.exit(3)
    print("open", len(buffer), buffer.device_id, flush=True)
    with buffer:
        {work}
"""


@pytest.fixture
def start() -> Iterator[Start]:
    """Starts other processes; all are gone after the test."""
    others: list[subprocess.Popen[bytes]] = []

    def start(work: str) -> subprocess.Popen[bytes]:
        script = OPEN.format(work=work)
        others.append(
            subprocess.Popen([sys.executable, "-c", script], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        )
        return others[-1]

    yield start
    for other in others:
        other.kill()
        other.communicate()


def is_device_memory(address: int) -> bool:
    attributes, code = acl.rt.pointer_get_attributes(address)
    ferry.check(code)
    return bool(attributes["location"]["type"] == ferry.MemLocation.DEVICE)


def test_two_processes_use_the_same_bytes(device: ferry.Device, start: Start) -> None:
    with ferry.Buffer.from_host(b"hello world") as buffer:
        other = start("assert buffer.tobytes() == b'hello world'; ferry.copy(buffer[:5], b'HELLO')")
        output, _ = other.communicate(buffer.share() + b"\n")
        assert (output, other.returncode) == (b"open 11 0\n", 0)
        assert buffer.tobytes() == b"HELLO world"


def test_copies_on_streams(stream: ferry.Stream, start: Start) -> None:
    work = """
        with ferry.Stream() as stream:
            target = ferry.pinned_bytes(1 << 20)
            ferry.copy_async(target, buffer, stream=stream).wait()
            assert bytes(target) == bytes([7]) * (1 << 20)
            target[:] = bytes([8]) * (1 << 20)
            ferry.copy_batch_async([(buffer[:4096], target[:4096])], stream=stream).wait()
"""
    with ferry.Buffer(1 << 20) as buffer:
        buffer.fill(7)
        other = start(work.strip())
        other.communicate(buffer.share() + b"\n")
        assert other.returncode == 0
        assert buffer[:4097].tobytes() == b"\x08" * 4096 + b"\x07"


def test_only_listed_processes_open_it(device: ferry.Device, start: Start) -> None:
    with ferry.Buffer.from_host(b"secret") as buffer:
        friend, stranger = start("assert buffer.tobytes() == b'secret'"), start("pass")
        # More than one call can take.
        data = buffer.share([*range(1_000_000, 1_000_040), friend.pid])
        output, _ = stranger.communicate(data + b"\n")
        assert (output, stranger.returncode) == (b"507899 aclrtIpcMemImportByKey\n", 3)
        output, _ = friend.communicate(data + b"\n")
        assert (output, friend.returncode) == (b"open 6 0\n", 0)


def test_the_other_process_keeps_its_bytes(device: ferry.Device, start: Start) -> None:
    other = start("sys.stdin.buffer.readline(); assert buffer.tobytes() == b'kept'")
    assert other.stdin is not None
    assert other.stdout is not None
    with ferry.Buffer.from_host(b"kept") as buffer:
        data = buffer.share()
        other.stdin.write(data + b"\n")
        other.stdin.flush()
        assert other.stdout.readline() == b"open 4 0\n"
    with pytest.raises(ferry.AclError) as caught:
        ferry.open_shared(data)  # the owner has freed it: nobody else can open it
    assert caught.value.code == 507899
    other.communicate(b"freed\n")
    assert other.returncode == 0


def test_an_import_is_closed(device: ferry.Device) -> None:
    with ferry.Buffer.from_host(b"abcd") as buffer:
        with ferry.open_shared(buffer.share()) as same:
            address = same.address
            assert address != buffer.address
            assert is_device_memory(address)
            part = same[1:3]
            assert part.tobytes() == b"bc"
        assert same.closed
        assert part.closed
        assert not is_device_memory(address)
        with pytest.raises(ferry.ClosedError):
            same.tobytes()
        assert buffer.tobytes() == b"abcd"


def test_the_object_closes_the_import(device: ferry.Device) -> None:
    with ferry.Buffer.from_host(b"abcd") as buffer:
        same = ferry.open_shared(buffer.share())
        address = same.address
        part = same[1:3]
        del same
        gc.collect()
        assert part.tobytes() == b"bc"
        del part
        gc.collect()
        assert not is_device_memory(address)


def test_any_thread_closes_the_import(device: ferry.Device) -> None:
    """Closing needs a context, which a thread may not have."""
    last_errors: list[object] = []

    def close() -> None:
        same.close()
        last_errors.append(acl.rt.get_last_error(0))
        last_errors.append(acl.get_recent_err_msg())
        last_errors.append(acl.rt.get_context()[1])

    with ferry.Buffer(8) as buffer:
        same = ferry.open_shared(buffer.share())
        address = same.address
        thread = threading.Thread(target=close)
        thread.start()
        thread.join()
        assert last_errors == [0, "", 107002]
        assert not is_device_memory(address)


def test_closing_during_a_copy_waits(stream: ferry.Stream, gate: Gate) -> None:
    target = ferry.pinned_bytes(4)
    with ferry.Buffer.from_host(b"abcd") as buffer:
        gate.close(stream)
        with ferry.open_shared(buffer.share()) as same:
            address = same.address
            transfer = ferry.copy_async(target, same, stream=stream)
        assert is_device_memory(address)
        gate.open()
        transfer.wait()
        assert bytes(target) == b"abcd"
        assert not is_device_memory(address)


def test_opening_twice(device: ferry.Device) -> None:
    with ferry.Buffer.from_host(b"abcd") as buffer:
        data = buffer.share()
        first, second = ferry.open_shared(data), ferry.open_shared(bytearray(data))
        first.close()
        assert second.tobytes() == b"abcd"
        second.close()
        assert data != buffer.share()


def test_imports_on_two_devices_are_independent(run_python: RunPython) -> None:
    script = """
import acl, ferry

def is_mapped(address):
    return acl.rt.pointer_get_attributes(address)[0]["location"]["type"] == ferry.MemLocation.DEVICE

with ferry.Device(0):
    buffer = ferry.Buffer.from_host(b"abcd")
    data = buffer.share()
    for newest_first in (True, False):
        here = ferry.open_shared(data)
        with ferry.Device(1):
            there = ferry.open_shared(data)
            assert (here.device_id, there.device_id) == (0, 1)
            addresses = [here.address, there.address]
            first, second = (there, here) if newest_first else (here, there)
            first.close()
            assert second.tobytes() == b"abcd"
            second.close()
        assert not any(map(is_mapped, addresses))
    buffer.close()
"""
    run = run_python(script, FERRY_DEVICES="cpu:2")
    assert (run.returncode, run.stderr) == (0, "")


def test_threads_open_and_close(device: ferry.Device) -> None:
    with ferry.Buffer.from_host(b"abcd") as buffer:
        data = buffer.share()
        failures: list[BaseException] = []

        def work() -> None:
            try:
                with ferry.Device(0):
                    for _ in range(50):
                        with ferry.open_shared(data) as same:
                            assert same.tobytes() == b"abcd"
            except BaseException as error:
                failures.append(error)

        threads = [threading.Thread(target=work) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert failures == []


def test_what_cannot_be_shared(device: ferry.Device) -> None:
    with ferry.Buffer(8192) as buffer:
        with pytest.raises(ferry.AclError) as caught:
            buffer[1:].share()
        assert (caught.value.code, caught.value.function) == (507899, "aclrtIpcMemGetExportKey")
        assert caught.value.message
        with ferry.open_shared(buffer.share()) as same, pytest.raises(ferry.AclError):
            same.share()
    with pytest.raises(ferry.ClosedError):
        buffer.share()


def test_processes_are_validated(device: ferry.Device) -> None:
    with ferry.Buffer(8) as buffer:
        with pytest.raises(ValueError, match="processes is empty"):
            buffer.share([])
        wrong: tuple[Any, ...] = (1234, "12", [1.5], [None], [1 << 31])
        for processes in wrong:
            with pytest.raises(TypeError):
                buffer.share(processes)
        with ferry.open_shared(buffer.share(iter([os.getpid()]))):
            pass


def test_a_failed_share_leaves_no_key(device: ferry.Device) -> None:
    with ferry.Buffer(8) as buffer:
        ferry.count_calls()
        with (
            ferry.failing("aclrtIpcMemSetImportPid", ferry.ErrorCode.RT_INTERNAL_ERROR),
            pytest.raises(ferry.AclError) as caught,
        ):
            buffer.share([1])
        assert caught.value.function == "aclrtIpcMemSetImportPid"
        calls = ferry.stats().calls
        assert calls is not None
        assert calls["aclrtIpcMemGetExportKey"] == calls["aclrtIpcMemClose"] == 1


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"ferry-memory-1",
        b"ferry-memory-1:8",
        b"ferry-memory-1:8:",
        b"ferry-memory-1:0:key",
        b"ferry-memory-1:-8:key",
        b"ferry-memory-1:x:key",
        b"ferry-memory-2:8:key",
        b"\xff\xfe",
    ],
)
def test_bytes_of_something_else(device: ferry.Device, data: bytes) -> None:
    with pytest.raises(ValueError, match=r"not what Buffer\.share returned"):
        ferry.open_shared(data)


def test_bytes_that_are_no_bytes(device: ferry.Device) -> None:
    with pytest.raises(TypeError, match="not a str"):
        ferry.open_shared("ferry-memory-1:8:key")  # type: ignore[arg-type]


def test_an_unknown_key(device: ferry.Device) -> None:
    with pytest.raises(ferry.AclError) as caught:
        ferry.open_shared(b"ferry-memory-1:8:nonsense")
    assert (caught.value.code, caught.value.function) == (507899, "aclrtIpcMemImportByKey")


def test_a_thread_without_a_device() -> None:
    with (
        ThreadPoolExecutor(1) as pool,  # the thread of the tests may have one from an earlier test
        pytest.raises(ferry.NoContextError),
    ):
        pool.submit(ferry.open_shared, b"ferry-memory-1:8:nonsense").result()
