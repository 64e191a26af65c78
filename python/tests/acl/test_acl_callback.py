# SPDX-License-Identifier: Apache-2.0
"""acl.rt: callbacks, reports of failed tasks, the last error; acl.util: threads."""

from __future__ import annotations

import ctypes
import gc
import sys
import threading
import weakref
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Callable

import acl
import pytest

if TYPE_CHECKING:
    from tests.acl.conftest import Allocate, RunPython

Unraisable = list[Any]


@pytest.fixture
def unraisable(monkeypatch: pytest.MonkeyPatch) -> Unraisable:
    """Collects what goes to sys.unraisablehook."""
    seen: Unraisable = []
    monkeypatch.setattr(sys, "unraisablehook", lambda report: seen.append((report.exc_type, report.object)))
    return seen


class Server:
    """A thread that serves the callbacks of a stream, as the documentation shows it."""

    def __init__(self, stream: int) -> None:
        context, ret = acl.rt.get_context()
        assert ret == 0
        self.stream = stream
        self.is_running = True
        self.codes: list[int] = []
        self.thread_id, ret = acl.util.start_thread(self.loop, [context, 100])
        assert ret == 0
        assert acl.rt.subscribe_report(self.thread_id, stream) == 0

    def loop(self, arguments: list[int]) -> None:
        context, timeout = arguments
        assert acl.rt.set_context(context) == 0
        while self.is_running:
            self.codes.append(acl.rt.process_report(timeout))

    def stop(self) -> None:
        assert acl.rt.unsubscribe_report(self.thread_id, self.stream) == 0
        self.is_running = False
        assert acl.util.stop_thread(self.thread_id) == 0


@pytest.fixture
def server(stream: int) -> Iterator[Server]:
    server = Server(stream)
    yield server
    server.stop()


@pytest.mark.parametrize("block", [0, 1])
@pytest.mark.parametrize("data", [[1, "two"], None, {"a": 1}, 5, ()])
def test_callback_gets_its_data(stream: int, server: Server, block: int, data: object) -> None:
    seen: list[tuple[object, int]] = []
    done = threading.Event()

    def callback(argument: object) -> None:
        seen.append((argument, threading.get_ident()))
        done.set()

    assert acl.rt.launch_callback(callback, data, block, stream) == 0
    assert acl.rt.synchronize_stream(stream) == 0
    done.wait()
    assert len(seen) == 1
    assert seen[0][0] is data
    assert seen[0][1] == server.thread_id


def test_callbacks_run_in_order_and_block(
    stream: int, server: Server, device_memory: Allocate, pinned_memory: Allocate
) -> None:
    host, pointer, back = pinned_memory(64), device_memory(64), pinned_memory(64)

    def write(value: int) -> None:
        ctypes.memset(host, value, 64)

    for value in (1, 2, 3):
        assert acl.rt.launch_callback(write, value, 1, stream) == 0
        assert acl.rt.memcpy_async(pointer, 64, host, 64, 1, stream) == 0
    assert acl.rt.memcpy_async(back, 64, pointer, 64, 2, stream) == 0
    assert acl.rt.synchronize_stream(stream) == 0
    assert ctypes.string_at(back, 64) == b"\3" * 64


def test_objects_are_held_until_the_call_and_no_longer(
    stream: int, server: Server, closed: Callable[[], None]
) -> None:
    class Data:
        pass

    data = Data()
    reference = weakref.ref(data)
    assert acl.rt.launch_callback(lambda argument: None, data, 1, stream) == 0
    del data
    gc.collect()
    assert reference() is not None
    closed()
    assert acl.rt.synchronize_stream(stream) == 0
    server.stop()
    server.stop = lambda: None  # type: ignore[method-assign]
    gc.collect()
    assert reference() is None


def test_exception_in_a_callback(stream: int, server: Server, unraisable: Unraisable) -> None:
    def callback(argument: object) -> None:
        raise KeyError(argument)

    assert acl.rt.launch_callback(callback, "lost?", 1, stream) == 0
    assert acl.rt.synchronize_stream(stream) == 0
    assert unraisable == [(KeyError, callback)]
    seen: list[object] = []
    assert acl.rt.launch_callback(seen.append, "next", 1, stream) == 0
    assert acl.rt.synchronize_stream(stream) == 0
    assert seen == ["next"]


def test_stream_without_a_thread(stream: int) -> None:
    class Data:
        pass

    data = Data()
    reference = weakref.ref(data)
    assert acl.rt.launch_callback(print, data, 1, stream) == 107015
    del data
    gc.collect()
    assert reference() is None


def test_launch_callback_wants_four_arguments(stream: int) -> None:
    with pytest.raises(TypeError):
        acl.rt.launch_callback(print, [], 1)  # type: ignore[call-arg]
    with pytest.raises(TypeError):
        acl.rt.launch_callback(print, [], 1, stream, 0)  # type: ignore[call-arg]
    with pytest.raises(TypeError, match="callable"):
        acl.rt.launch_callback(5, [], 1, stream)  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        acl.rt.launch_callback(None, [], 1, stream)  # type: ignore[arg-type]
    assert acl.rt.launch_callback(print, [], 7, stream) == 100000


def test_process_report_times_out(server: Server) -> None:
    while 507012 not in server.codes:
        acl.rt.synchronize_stream(server.stream)
    assert acl.rt.process_report(0) == 100000
    assert acl.rt.process_report(1) == 107014 or acl.rt.get_last_error(0) != 0


def test_subscribe_twice(stream: int, server: Server) -> None:
    assert acl.rt.subscribe_report(server.thread_id, stream) != 0
    assert acl.rt.unsubscribe_report(server.thread_id + 1, stream) != 0


def test_threads() -> None:
    seen: list[object] = []
    arguments = [1, 2]

    def run(given: object) -> None:
        seen.append(given)
        seen.append(threading.get_ident())
        seen.append(acl.rt.get_context())

    thread_id, ret = acl.util.start_thread(run, arguments)
    assert ret == 0
    assert acl.util.stop_thread(thread_id) == 0
    assert seen[0] is arguments
    assert seen[1] == thread_id
    assert seen[2] == (0, 107002)
    assert acl.util.stop_thread(thread_id) == 100000
    assert acl.util.stop_thread(0) == 100000


def test_thread_cannot_stop_itself() -> None:
    codes: list[int] = []
    thread_id, ret = acl.util.start_thread(
        lambda _: codes.append(acl.util.stop_thread(threading.get_ident())), []
    )
    assert ret == 0
    assert acl.util.stop_thread(thread_id) == 0
    assert codes == [100000]


def test_exception_in_a_thread(unraisable: Unraisable) -> None:
    def run(arguments: object) -> None:
        raise KeyError(arguments)

    thread_id, ret = acl.util.start_thread(run, [])
    assert ret == 0
    assert acl.util.stop_thread(thread_id) == 0
    assert unraisable == [(KeyError, run)]


def test_start_thread_wants_two_arguments() -> None:
    with pytest.raises(TypeError):
        acl.util.start_thread(print)  # type: ignore[call-arg]
    with pytest.raises(TypeError, match="callable"):
        acl.util.start_thread(5, [])  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        acl.util.stop_thread(None)  # type: ignore[arg-type]


def test_process_ends_while_threads_wait(run_python: RunPython) -> None:
    """Neither a thread waiting for reports nor one returning from a wait keeps the process from exiting."""
    for timeout in ("-1", "1"):
        done = run_python(
            """
import acl, sys
assert acl.rt.set_device(0) == 0
def loop(arguments):
    while True:
        acl.rt.process_report(arguments[0])
for _ in range(8):
    assert acl.util.start_thread(loop, [int(sys.argv[1])])[1] == 0
""",
            timeout,
        )
        assert done.stderr == ""


@pytest.fixture
def failing_copy(stream: int, pinned_memory: Allocate) -> Callable[[], int]:
    """Queues a copy that fails when it runs, and returns the result of synchronising the stream."""

    def fail() -> int:
        freed, ret = acl.rt.malloc(64, 0)
        assert ret == 0
        event, ret = acl.rt.create_event_with_flag(1)
        assert ret == 0
        other, ret = acl.rt.create_stream()
        assert ret == 0
        assert acl.rt.stream_wait_event(stream, event) == 0
        assert acl.rt.memcpy_async(freed, 64, pinned_memory(64), 64, 1, stream) == 0
        assert acl.rt.free(freed) == 0
        assert acl.rt.record_event(event, other) == 0
        code = acl.rt.synchronize_stream(stream)
        assert acl.rt.destroy_stream(other) == 0
        assert acl.rt.destroy_event(event) == 0
        return code

    return fail


def test_exception_info(stream: int, failing_copy: Callable[[], int]) -> None:
    seen: list[dict[str, int]] = []
    names = ["task_id", "stream_id", "thread_id", "device_id", "error_code"]

    def callback(info: int) -> None:
        assert type(info) is int
        seen.append({name: getattr(acl.rt, f"get_{name}_from_exception_info")(info) for name in names})

    assert acl.rt.set_exception_info_callback(callback) == 0
    code = failing_copy()
    assert code != 0
    assert len(seen) == 1
    assert seen[0]["stream_id"] == acl.rt.stream_get_id(stream)[0]
    assert seen[0]["device_id"] == 0
    assert seen[0]["error_code"] == code
    assert acl.rt.set_exception_info_callback() == 0
    assert failing_copy() == code
    assert len(seen) == 1
    assert acl.rt.get_thread_id_from_exception_info(0) == 0xFFFFFFFF


def test_exception_callback_is_replaced(failing_copy: Callable[[], int], unraisable: Unraisable) -> None:
    first: list[int] = []

    def second(info: int) -> None:
        raise KeyError(info)

    assert acl.rt.set_exception_info_callback(first.append) == 0
    assert acl.rt.set_exception_info_callback(second) == 0
    assert failing_copy() != 0
    assert first == []
    assert unraisable == [(KeyError, second)]
    assert acl.rt.set_exception_info_callback(None) == 0
    with pytest.raises(TypeError):
        acl.rt.set_exception_info_callback(5)  # type: ignore[arg-type]


def test_last_error() -> None:
    acl.rt.get_last_error(0)
    assert acl.rt.peek_at_last_error(0) == 0
    assert acl.rt.set_device(99) == 107001
    assert acl.rt.peek_at_last_error(0) == 107001
    assert acl.rt.get_last_error(0) == 107001
    assert acl.rt.get_last_error(0) == 0
    assert acl.rt.get_last_error(1) == 100000
    with pytest.raises(TypeError):
        acl.rt.peek_at_last_error()  # type: ignore[call-arg]
