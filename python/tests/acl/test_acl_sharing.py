# SPDX-License-Identifier: Apache-2.0
"""acl.rt: memory, events and notifies of other processes. The other process is a fresh one, which receives
only text over a pipe."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Callable

import acl
import pytest

if TYPE_CHECKING:
    from tests.acl.conftest import Allocate

GRANULE = 2 << 20
KEY_LENGTH = 65
PROP = {"handleType": 0, "allocationType": 0, "memAttr": 4, "location": {"id": 0, "type": 1}}
IPC_EVENT = 0x40

PROLOGUE = """
import sys
import acl
assert acl.rt.set_device(0) == 0

def write(address, data):
    assert acl.rt.memcpy(address, len(data), acl.util.bytes_to_ptr(data), len(data), 1) == 0

def read(address, size):
    data = bytes(size)
    assert acl.rt.memcpy(acl.util.bytes_to_ptr(data), size, address, size, 2) == 0
    return data

def told():
    return sys.stdin.readline().rstrip("\\n")

def tell(text):
    print(text, flush=True)

"""


class Other:
    """Another process that runs a script, and talks with the test in lines of text."""

    def __init__(self, script: str) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-c", PROLOGUE + script],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    @property
    def pid(self) -> int:
        return self.process.pid

    def tell(self, text: object) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(f"{text}\n")
        self.process.stdin.flush()

    def told(self) -> str:
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        assert line, self.process.communicate()[1]
        return line.rstrip("\n")

    def finish(self) -> None:
        _, errors = self.process.communicate()
        assert self.process.returncode == 0, errors


Start = Callable[[str], Other]


@pytest.fixture
def start() -> Iterator[Start]:
    """Starts other processes; all are gone after the test."""
    others: list[Other] = []

    def start(script: str) -> Other:
        others.append(Other(script))
        return others[-1]

    yield start
    for other in others:
        other.process.kill()
        other.process.communicate()


def write(address: int, data: bytes) -> None:
    assert acl.rt.memcpy(address, len(data), acl.util.bytes_to_ptr(data), len(data), 1) == 0


def read(address: int, size: int) -> bytes:
    data = bytes(size)
    assert acl.rt.memcpy(acl.util.bytes_to_ptr(data), size, address, size, 2) == 0
    return data


@pytest.fixture
def handle(device: int) -> Iterator[int]:
    """One granule of physical memory of device 0."""
    handle, ret = acl.rt.malloc_physical(GRANULE, PROP)
    assert ret == 0
    yield handle
    assert acl.rt.free_physical(handle) == 0


@pytest.fixture
def mapped(handle: int) -> Iterator[int]:
    """Its address."""
    address, ret = acl.rt.reserve_mem_address(GRANULE, 0, 0, 0)
    assert ret == 0
    assert acl.rt.map_mem(address, GRANULE, 0, handle) == 0
    yield address
    assert acl.rt.unmap_mem(address) == 0
    assert acl.rt.release_mem_address(address) == 0


# ---- keys of device memory ----

IMPORT_KEY = """
key = told()
pointer, ret = acl.rt.ipc_mem_import_by_key(key, 1)
tell(ret)
if ret == 0:
    assert read(pointer, 5) == b"hello"
    write(pointer + 5, b" world")
    assert acl.rt.free(pointer) == 107000
    assert acl.rt.ipc_mem_close(key) == 0
    assert acl.rt.ipc_mem_close(key) == 507899
    tell("closed")
"""


def test_a_key_goes_to_another_process(device_memory: Allocate, start: Start) -> None:
    pointer = device_memory(4096)
    write(pointer, b"hello")
    key, ret = acl.rt.ipc_mem_get_export_key(pointer, 4096, KEY_LENGTH, 1)
    assert ret == 0
    assert type(key) is str
    assert 0 < len(key) < KEY_LENGTH
    other = start(IMPORT_KEY)
    other.tell(key)
    assert other.told() == "0"
    assert other.told() == "closed"
    other.finish()
    assert read(pointer, 11) == b"hello world"
    assert acl.rt.ipc_mem_close(key) == 0


def test_only_listed_processes_import_a_key(device_memory: Allocate, start: Start) -> None:
    pointer = device_memory(4096)
    write(pointer, b"hello")
    key, ret = acl.rt.ipc_mem_get_export_key(pointer, 4096, KEY_LENGTH, 0)
    assert ret == 0
    stranger, friend = start(IMPORT_KEY), start(IMPORT_KEY)
    assert acl.rt.ipc_mem_set_import_pid(key, [os.getpid(), friend.pid]) == 0
    for other, answer in ((stranger, "507899"), (friend, "0")):
        other.tell(key)
        assert other.told() == answer
        other.finish()
    assert read(pointer, 11) == b"hello world"


def test_keys_are_validated(device_memory: Allocate) -> None:
    pointer = device_memory(4096)
    assert acl.rt.ipc_mem_get_export_key(0, 4096, KEY_LENGTH, 1) == ("", 100000)
    assert acl.rt.ipc_mem_get_export_key(pointer, 0, KEY_LENGTH, 1) == ("", 107000)
    assert acl.rt.ipc_mem_get_export_key(pointer, 4096, 0, 1) == ("", 107000)
    assert acl.rt.ipc_mem_get_export_key(pointer, 4096, KEY_LENGTH - 1, 1) == ("", 107000)
    assert acl.rt.ipc_mem_get_export_key(pointer, 4096, KEY_LENGTH, 2) == ("", 107000)
    assert acl.rt.ipc_mem_get_export_key(pointer, 1 << 40, KEY_LENGTH, 1) == ("", 507899)
    key, ret = acl.rt.ipc_mem_get_export_key(pointer, 4096, 1 << 60, 1)
    assert ret == 0  # a longer buffer is allowed, and costs nothing
    assert acl.rt.ipc_mem_set_import_pid(key, []) == 107000
    assert acl.rt.ipc_mem_set_import_pid(key, [1] * 32) == 107000
    assert acl.rt.ipc_mem_set_import_pid(key, [1]) == 207006
    assert acl.rt.ipc_mem_import_by_key("", 0) == (0, 107000)
    assert acl.rt.ipc_mem_import_by_key("x" * 1000, 0) == (0, 107000)
    assert acl.rt.ipc_mem_import_by_key("no such key", 0) == (0, 507899)
    assert acl.rt.ipc_mem_import_by_key(key, 2) == (0, 107000)
    assert acl.rt.ipc_mem_close("no such key") == 507899
    assert acl.rt.ipc_mem_set_attr(key, 1, 0) == 107000
    assert acl.rt.ipc_mem_set_attr(key, 0, 0) == 207000
    assert acl.rt.ipc_mem_import_pid_inter_server(key, []) == 107000
    assert acl.rt.ipc_mem_import_pid_inter_server(key, [{"sdid": 0, "pid": [1]}]) == 207000
    too_few = [{"sdid": 0, "pid": [1], "num": 2}]
    assert acl.rt.ipc_mem_import_pid_inter_server(key, too_few) == 107000
    assert acl.rt.ipc_mem_close(key) == 0
    assert acl.rt.ipc_mem_import_by_key(key, 0) == (0, 507899)


def test_types_of_keys() -> None:
    for wrong in (b"key", None, 1, "\udc80"):
        with pytest.raises(TypeError):
            acl.rt.ipc_mem_close(wrong)  # type: ignore[arg-type]
        with pytest.raises(TypeError):
            acl.rt.ipc_mem_import_by_key(wrong, 0)  # type: ignore[arg-type]
        with pytest.raises(TypeError):
            acl.rt.notify_import_by_key(wrong, 0)  # type: ignore[arg-type]
    for wrong_pids in (1, "12", [1.5], [None], [1 << 31], {1}):
        with pytest.raises(TypeError):
            acl.rt.ipc_mem_set_import_pid("key", wrong_pids)  # type: ignore[arg-type]
        with pytest.raises(TypeError):
            acl.rt.mem_set_pid_to_shareable_handle(1, wrong_pids)  # type: ignore[arg-type]
        with pytest.raises(TypeError):
            acl.rt.notify_set_import_pid(1, wrong_pids)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match=r'server_pids\[0\] has no key "pid"'):
        acl.rt.ipc_mem_import_pid_inter_server("key", [{"sdid": 0}])


def test_the_importer_keeps_its_bytes(device: int, start: Start) -> None:
    pointer, ret = acl.rt.malloc(4096, 0)
    assert ret == 0
    write(pointer, b"hello")
    key, ret = acl.rt.ipc_mem_get_export_key(pointer, 4096, KEY_LENGTH, 1)
    assert ret == 0
    other = start(
        """
key = told()
pointer, ret = acl.rt.ipc_mem_import_by_key(key, 0)
assert ret == 0
tell("imported")
assert told() == "freed"
assert read(pointer, 5) == b"hello"
assert acl.rt.ipc_mem_close(key) == 0
"""
    )
    other.tell(key)
    assert other.told() == "imported"
    assert acl.rt.free(pointer) == 0
    assert acl.rt.ipc_mem_import_by_key(key, 0) == (0, 507899)
    other.tell("freed")
    other.finish()


# ---- shareable handles ----

USE_HANDLE = """
if ret == 0:
    address, ret = acl.rt.reserve_mem_address(2 << 20, 0, 0, 0)
    assert ret == 0
    assert acl.rt.map_mem(address, 2 << 20, 0, handle) == 0
    assert read(address, 5) == b"hello"
    write(address + 5, b" world")
    assert acl.rt.unmap_mem(address) == 0
    assert acl.rt.free_physical(handle) == 0
    assert acl.rt.release_mem_address(address) == 0
"""
IMPORT_NUMBER = (
    """
handle, ret = acl.rt.mem_import_from_shareable_handle(int(told()), 0)
tell(ret)
"""
    + USE_HANDLE
)
IMPORT_NUMBER_V2 = (
    """
handle, ret = acl.rt.mem_import_from_shareable_handle_v2(int(told()), 1, 0)
tell(ret)
"""
    + USE_HANDLE
)
IMPORT_FABRIC = (
    """
handle, ret = acl.rt.mem_import_from_shareable_handle_v2(bytes.fromhex(told()), 2, 0)
tell(ret)
"""
    + USE_HANDLE
)


@pytest.mark.parametrize("script", [IMPORT_NUMBER, IMPORT_NUMBER_V2])
def test_a_number_goes_to_another_process(handle: int, mapped: int, start: Start, script: str) -> None:
    write(mapped, b"hello")
    number, ret = acl.rt.mem_export_to_shareable_handle(handle, 0, 1)
    assert ret == 0
    assert type(number) is int
    assert acl.rt.mem_export_to_shareable_handle(handle, 0, 1) == (0, 507899)
    other = start(script)
    other.tell(number)
    assert other.told() == "0"
    other.finish()
    assert read(mapped, 11) == b"hello world"


def test_only_listed_processes_import_a_number(handle: int, mapped: int, start: Start) -> None:
    write(mapped, b"hello")
    number, ret = acl.rt.mem_export_to_shareable_handle_v2(handle, 0, 1)
    assert ret == 0
    assert isinstance(number, int)
    stranger, friend, other_friend = (start(IMPORT_NUMBER) for _ in range(3))
    assert acl.rt.mem_set_pid_to_shareable_handle(number, [friend.pid]) == 0
    assert acl.rt.mem_set_pid_to_shareable_handle_v2(number, 1, [other_friend.pid]) == 0
    for other, answer in ((stranger, "507899"), (friend, "0"), (other_friend, "0")):
        other.tell(number)
        assert other.told() == answer
        other.finish()
    assert read(mapped, 11) == b"hello world"


def test_fabric_bytes_go_to_another_process(handle: int, mapped: int, start: Start) -> None:
    write(mapped, b"hello")
    data, ret = acl.rt.mem_export_to_shareable_handle_v2(handle, 0, 2)
    assert ret == 0
    assert isinstance(data, bytes)
    assert len(data) == 128
    stranger, friend = start(IMPORT_FABRIC), start(IMPORT_FABRIC)
    assert acl.rt.mem_set_pid_to_shareable_handle_v2(data, 2, [friend.pid]) == 0
    for other, answer in ((stranger, "507899"), (friend, "0")):
        other.tell(data.hex())
        assert other.told() == answer
        other.finish()
    assert read(mapped, 11) == b"hello world"


def test_shareable_handles_are_validated(handle: int) -> None:
    assert acl.rt.mem_export_to_shareable_handle(0, 0, 1) == (0, 100000)
    assert acl.rt.mem_export_to_shareable_handle(handle, 2, 1) == (0, 100000)
    assert acl.rt.mem_export_to_shareable_handle(handle, 0, 2) == (0, 107000)
    assert acl.rt.mem_export_to_shareable_handle_v2(0, 1, 1) == (0, 100000)
    assert acl.rt.mem_export_to_shareable_handle_v2(0, 1, 2) == (b"", 100000)
    assert acl.rt.mem_export_to_shareable_handle_v2(handle, 1, 3) == (0, 107000)
    assert acl.rt.mem_import_from_shareable_handle(12345, 0) == (0, 107017)
    assert acl.rt.mem_import_from_shareable_handle(12345, 99) == (0, 107001)
    assert acl.rt.mem_import_from_shareable_handle_v2(12345, 1, 0) == (0, 107017)
    assert acl.rt.mem_import_from_shareable_handle_v2(12345, 3, 0) == (0, 107000)
    assert acl.rt.mem_import_from_shareable_handle_v2(bytes(128), 2, 1) == (0, 100000)
    assert acl.rt.mem_import_from_shareable_handle_v2(bytes(128), 2, 0)[1] != 0
    assert acl.rt.mem_set_pid_to_shareable_handle(12345, [1]) == 107017
    assert acl.rt.mem_set_pid_to_shareable_handle(12345, []) == 100000
    assert acl.rt.mem_set_pid_to_shareable_handle_v2(12345, 1, []) == 100000


def test_types_of_shareable_handles() -> None:
    for wrong, share_type in ((b"", 1), ("1", 1), (1, 2), ("x" * 128, 2), (bytearray(128), 2)):
        with pytest.raises(TypeError, match="shareable_handle"):
            acl.rt.mem_import_from_shareable_handle_v2(wrong, share_type, 0)  # type: ignore[arg-type]
        with pytest.raises(TypeError, match="shareable_handle"):
            acl.rt.mem_set_pid_to_shareable_handle_v2(wrong, share_type, [1])  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="shareable_handle has 127 bytes, allowed is 128"):
        acl.rt.mem_import_from_shareable_handle_v2(bytes(127), 2, 0)


# ---- events ----


def test_an_event_goes_to_another_process(stream: int, closed: Callable[[], None], start: Start) -> None:
    event, ret = acl.rt.create_event_ex_with_flag(IPC_EVENT)
    assert ret == 0
    data, ret = acl.rt.ipc_get_event_handle(event)
    assert ret == 0
    assert len(data) == 64
    assert acl.rt.ipc_get_event_handle(event) == (data, 0)
    other = start(
        """
event, ret = acl.rt.ipc_open_event_handle(bytes.fromhex(told()))
assert ret == 0
stream, ret = acl.rt.create_stream()
assert ret == 0
assert acl.rt.query_event_status(event) == (0, 0)
assert acl.rt.stream_wait_event(stream, event) == 0
tell("waits")
assert acl.rt.synchronize_stream(stream) == 0
assert acl.rt.query_event_status(event) == (1, 0)
assert acl.rt.record_event(event, stream) == 0
tell("recorded")
assert told() == "go"
assert acl.rt.destroy_event(event) == 0
"""
    )
    assert acl.rt.record_event(event, stream) == 0  # behind the closed gate
    other.tell(data.hex())
    assert other.told() == "waits"
    closed()
    assert other.told() == "recorded"
    assert acl.rt.synchronize_event(event) == 0
    other.tell("go")
    other.finish()
    assert acl.rt.destroy_event(event) == 0


def test_event_handles_are_validated(device: int) -> None:
    event, ret = acl.rt.create_event()
    assert ret == 0
    assert acl.rt.ipc_get_event_handle(event) == (b"", 107000)
    assert acl.rt.ipc_get_event_handle(0) == (b"", 100000)
    assert acl.rt.destroy_event(event) == 0
    assert acl.rt.ipc_open_event_handle(bytes(64)) == (0, 107017)


def test_types_of_event_handles() -> None:
    for length in (0, 63, 65):
        with pytest.raises(ValueError, match=f"handle has {length} bytes, allowed is 64"):
            acl.rt.ipc_open_event_handle(bytes(length))
    for wrong in ("x" * 64, 0, None, bytearray(64)):
        with pytest.raises(TypeError):
            acl.rt.ipc_open_event_handle(wrong)  # type: ignore[arg-type]


# ---- notifies ----

RECORD_NOTIFY = """
notify, ret = acl.rt.notify_import_by_key(told(), 0)
tell(ret)
if ret == 0:
    assert acl.rt.wait_and_reset_notify(notify, 0, 0) == 207000
    assert acl.rt.record_notify(notify, 0) == 0
    assert acl.rt.synchronize_stream(0) == 0
    assert acl.rt.destroy_notify(notify) == 0
"""


@pytest.mark.parametrize("flags", [0, 2])
def test_a_notify_goes_to_another_process(stream: int, start: Start, flags: int) -> None:
    notify, ret = acl.rt.create_notify(0)
    assert ret == 0
    key, ret = acl.rt.notify_get_export_key(notify, KEY_LENGTH, flags)
    assert ret == 0
    assert 0 < len(key) < KEY_LENGTH
    stranger, friend = start(RECORD_NOTIFY), start(RECORD_NOTIFY)
    assert acl.rt.notify_set_import_pid(notify, [friend.pid]) == (0 if flags == 0 else 207006)
    assert acl.rt.wait_and_reset_notify(notify, stream, 0) == 0
    if flags == 0:
        stranger.tell(key)
        assert stranger.told() == "507899"
        stranger.finish()
    friend.tell(key)
    assert friend.told() == "0"
    assert acl.rt.synchronize_stream(stream) == 0
    friend.finish()
    assert acl.rt.destroy_notify(notify) == 0


def test_notify_keys_are_validated(device: int) -> None:
    notify, ret = acl.rt.create_notify(0)
    assert ret == 0
    assert acl.rt.notify_get_export_key(0, KEY_LENGTH, 0) == ("", 100000)
    assert acl.rt.notify_get_export_key(notify, 0, 0) == ("", 107000)
    assert acl.rt.notify_get_export_key(notify, KEY_LENGTH, 1) == ("", 107000)
    assert acl.rt.notify_set_import_pid(notify, [1]) == 107000
    assert acl.rt.notify_set_import_pid(notify, []) == 107000
    assert acl.rt.notify_import_by_key("no such key", 0) == (0, 507899)
    assert acl.rt.notify_import_by_key("no such key", 4) == (0, 107000)
    assert acl.rt.notify_set_import_pid_inter_server(notify, []) == 107000
    servers: list[dict[str, Any]] = [{"sdid": 0, "pid": [1]}]
    assert acl.rt.notify_set_import_pid_inter_server(notify, servers) == 207000
    assert acl.rt.destroy_notify(notify) == 0
