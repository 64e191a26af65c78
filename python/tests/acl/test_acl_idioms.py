# SPDX-License-Identifier: Apache-2.0
"""The ways in which public programs use pyACL, verbatim."""

from __future__ import annotations

import ctypes
import threading
from collections.abc import Iterator
from typing import Any

import acl
import pytest

np = pytest.importorskip("numpy")

ACL_MEM_MALLOC_HUGE_FIRST = 0
ACL_MEMCPY_HOST_TO_DEVICE = 1
ACL_MEMCPY_DEVICE_TO_HOST = 2
ACL_ERROR_REPEAT_INITIALIZE = 100002


def check_ret(message: str, ret: int) -> None:
    if ret != 0:
        raise RuntimeError(f"{message} failed ret={ret} {acl.get_recent_err_msg()}")


@pytest.fixture
def resource() -> Iterator[tuple[int, int]]:
    """Set-up and reversed tear-down; ACL may already be initialised."""
    ret = acl.init()
    assert ret in (0, ACL_ERROR_REPEAT_INITIALIZE)
    check_ret("acl.rt.set_device", acl.rt.set_device(0))
    context, ret = acl.rt.create_context(0)
    check_ret("acl.rt.create_context", ret)
    stream, ret = acl.rt.create_stream()
    check_ret("acl.rt.create_stream", ret)
    yield context, stream
    check_ret("acl.rt.destroy_stream", acl.rt.destroy_stream(stream))
    check_ret("acl.rt.destroy_context", acl.rt.destroy_context(context))
    check_ret("acl.rt.reset_device", acl.rt.reset_device(0))
    check_ret("acl.finalize", acl.finalize())


def test_check_ret_tells_why(resource: Any) -> None:
    acl.get_recent_err_msg()
    with pytest.raises(RuntimeError, match=r"ret=107001 aclrtSetDevice.*99"):
        check_ret("acl.rt.set_device", acl.rt.set_device(99))


def copy_to_device(array: Any) -> tuple[int, int]:
    size = array.size * array.itemsize
    if "bytes_to_ptr" in dir(acl.util):
        pointer = acl.util.bytes_to_ptr(array.tobytes())
    else:
        pointer = acl.util.numpy_to_ptr(array)
    device, ret = acl.rt.malloc(size, ACL_MEM_MALLOC_HUGE_FIRST)
    check_ret("acl.rt.malloc", ret)
    check_ret("acl.rt.memcpy", acl.rt.memcpy(device, size, pointer, size, ACL_MEMCPY_HOST_TO_DEVICE))
    return device, size


def test_host_array_to_device_and_back_into_bytes(resource: Any) -> None:
    array = np.random.default_rng(1).random((16, 16))
    device, size = copy_to_device(array)
    bytes_data = np.zeros(size, np.byte).tobytes()
    pointer = acl.util.bytes_to_ptr(bytes_data)
    check_ret("acl.rt.memcpy", acl.rt.memcpy(pointer, size, device, size, ACL_MEMCPY_DEVICE_TO_HOST))
    result = np.frombuffer(bytes_data, dtype=array.dtype).reshape(array.shape)
    assert (result == array).all()
    check_ret("acl.rt.free", acl.rt.free(device))


def test_many_temporaries_before_the_copies(resource: Any) -> None:
    """Addresses of several temporaries are taken first and copied from later."""
    arrays = [np.full(10_000, i, np.int32) for i in range(8)]
    pointers = [acl.util.bytes_to_ptr(array.tobytes()) for array in arrays]
    garbage = [bytes([255]) * 40_000 for _ in range(100)]
    for array, pointer in zip(arrays, pointers):
        device, ret = acl.rt.malloc(array.nbytes, ACL_MEM_MALLOC_HUGE_FIRST)
        check_ret("acl.rt.malloc", ret)
        check_ret("acl.rt.memcpy", acl.rt.memcpy(device, array.nbytes, pointer, array.nbytes, 1))
        host, ret = acl.rt.malloc_host(array.nbytes)
        check_ret("acl.rt.malloc_host", ret)
        check_ret("acl.rt.memcpy", acl.rt.memcpy(host, array.nbytes, device, array.nbytes, 2))
        assert acl.util.ptr_to_bytes(host, array.nbytes) == array.tobytes()
        check_ret("acl.rt.free_host", acl.rt.free_host(host))
        check_ret("acl.rt.free", acl.rt.free(device))
    del garbage


def test_feature_detection(resource: Any) -> None:
    assert hasattr(acl.rt, "memcpy_async")
    assert not hasattr(acl.rt, "no_such_function")
    try:
        stream, ret = acl.rt.create_stream_with_config(0)  # type: ignore[call-arg]
    except TypeError:
        stream, ret = acl.rt.create_stream_with_config(0, 1)
    check_ret("acl.rt.create_stream_with_config", ret)
    check_ret("acl.rt.destroy_stream", acl.rt.destroy_stream(stream))


def test_pinned_staging(resource: Any) -> None:
    _, stream = resource
    array = np.arange(1000, dtype=np.float32)
    device, ret = acl.rt.malloc(array.nbytes, ACL_MEM_MALLOC_HUGE_FIRST)
    check_ret("acl.rt.malloc", ret)
    host, ret = acl.rt.malloc_host(array.nbytes)
    check_ret("acl.rt.malloc_host", ret)
    ctypes.memmove(host, array.ctypes.data, array.nbytes)
    ret = acl.rt.memcpy_async(device, array.nbytes, host, array.nbytes, ACL_MEMCPY_HOST_TO_DEVICE, stream)
    check_ret("acl.rt.memcpy_async", ret)
    check_ret("acl.rt.synchronize_stream", acl.rt.synchronize_stream(stream))
    check_ret("acl.rt.free_host", acl.rt.free_host(host))
    target = np.zeros_like(array)
    check_ret("acl.rt.memcpy", acl.rt.memcpy(target.ctypes.data, target.nbytes, device, target.nbytes, 2))
    assert (target == array).all()
    check_ret("acl.rt.free", acl.rt.free(device))


def test_mixed_with_another_framework(resource: Any) -> None:
    """A framework has initialised ACL, and hands out addresses, streams and events as ints."""
    _, stream = resource

    class Stream:
        npu_stream = stream

    class Event:
        def __init__(self, handle: int) -> None:
            self.handle = handle

        def __int__(self) -> int:
            return self.handle

    assert acl.init() in (0, ACL_ERROR_REPEAT_INITIALIZE)
    first, ret = acl.rt.malloc(64, 0)
    check_ret("acl.rt.malloc", ret)
    second, ret = acl.rt.malloc(64, 0)
    check_ret("acl.rt.malloc", ret)
    check_ret("acl.rt.memcpy_async", acl.rt.memcpy_async(first, 64, second, 64, 3, Stream().npu_stream))
    handle, ret = acl.rt.create_event()
    check_ret("acl.rt.create_event", ret)
    event = Event(handle)
    check_ret("acl.rt.record_event", acl.rt.record_event(int(event), stream))
    check_ret("acl.rt.synchronize_event", acl.rt.synchronize_event(int(event)))
    check_ret("acl.rt.destroy_event", acl.rt.destroy_event(int(event)))
    for pointer in (first, second):
        check_ret("acl.rt.free", acl.rt.free(pointer))


def test_callback_loop(resource: Any) -> None:
    context, stream = resource
    is_exit = False
    results: list[Any] = []

    def process_loop(arguments: list[Any]) -> None:
        timeout, loop_context = arguments
        check_ret("acl.rt.set_context", acl.rt.set_context(loop_context))
        while not is_exit:
            acl.rt.process_report(timeout)

    def callback(data: list[Any]) -> None:
        results.append(data)

    thread_id, ret = acl.util.start_thread(process_loop, [100, context])
    check_ret("acl.util.start_thread", ret)
    check_ret("acl.rt.subscribe_report", acl.rt.subscribe_report(thread_id, stream))
    for number in range(10):
        check_ret("acl.rt.launch_callback", acl.rt.launch_callback(callback, [number], 1, stream))
    check_ret("acl.rt.synchronize_stream", acl.rt.synchronize_stream(stream))
    assert results == [[number] for number in range(10)]
    check_ret("acl.rt.unsubscribe_report", acl.rt.unsubscribe_report(thread_id, stream))
    is_exit = True
    check_ret("acl.util.stop_thread", acl.util.stop_thread(thread_id))


def test_threads_need_a_context(resource: Any) -> None:
    context, _ = resource
    codes: list[int] = []

    def work() -> None:
        pointer, ret = acl.rt.malloc(64, 0)
        codes.append(ret)
        codes.append(acl.rt.set_context(context))
        pointer, ret = acl.rt.malloc(64, 0)
        codes.append(ret)
        codes.append(acl.rt.free(pointer))

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert codes == [107002, 0, 0, 0]


def test_event_timing(resource: Any) -> None:
    _, stream = resource

    class Timer:
        def __enter__(self) -> Timer:
            self.start, ret = acl.rt.create_event_with_flag(8)
            check_ret("acl.rt.create_event_with_flag", ret)
            self.end, ret = acl.rt.create_event_with_flag(8)
            check_ret("acl.rt.create_event_with_flag", ret)
            check_ret("acl.rt.record_event", acl.rt.record_event(self.start, stream))
            return self

        def __exit__(self, *_: object) -> None:
            check_ret("acl.rt.record_event", acl.rt.record_event(self.end, stream))
            check_ret("acl.rt.synchronize_event", acl.rt.synchronize_event(self.end))
            self.ms, ret = acl.rt.event_elapsed_time(self.start, self.end)
            check_ret("acl.rt.event_elapsed_time", ret)
            check_ret("acl.rt.destroy_event", acl.rt.destroy_event(self.start))
            check_ret("acl.rt.destroy_event", acl.rt.destroy_event(self.end))

    with Timer() as timer:
        pass
    assert timer.ms >= 0


def test_ctypes_buffer_as_host_pointer(resource: Any) -> None:
    value = ctypes.c_int64(4711)
    device, ret = acl.rt.malloc(8, 0)
    check_ret("acl.rt.malloc", ret)
    check_ret("acl.rt.memcpy", acl.rt.memcpy(device, 8, ctypes.addressof(value), 8, 1))
    value.value = 0
    check_ret("acl.rt.memcpy", acl.rt.memcpy(ctypes.addressof(value), 8, device, 8, 2))
    assert value.value == 4711
    check_ret("acl.rt.free", acl.rt.free(device))
