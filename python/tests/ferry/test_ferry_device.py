# SPDX-License-Identifier: Apache-2.0
"""Device and Context: which is current in which thread, and what is restored."""

from __future__ import annotations

import pickle
import threading
import warnings
from typing import TYPE_CHECKING, Any, Callable

import acl
import pytest

import ferry

if TYPE_CHECKING:
    from .conftest import RunPython


def in_thread(function: Callable[[], Any]) -> Any:
    result: list[Any] = []
    thread = threading.Thread(target=lambda: result.append(function()))
    thread.start()
    thread.join()
    return result[0]


def has_context() -> bool:
    return bool(acl.rt.get_context()[1] == 0)


def test_a_block_makes_the_device_current_and_gives_it_back() -> None:
    def work() -> tuple[bool, int, bool]:
        before = has_context()
        with ferry.Device(0):
            inside = ferry.Device.current().id
        return before, inside, has_context()

    assert in_thread(work) == (False, 0, False)


def test_blocks_nest() -> None:
    def work() -> bool:
        device = ferry.Device(0)
        with device, device, device:
            pass
        with device:
            return ferry.Device.current() == device

    assert in_thread(work)


def test_two_devices(run_python: RunPython) -> None:
    script = """
import ferry
with ferry.Device(1):
    with ferry.Device(0) as inner:
        assert ferry.Device.current() == inner
    assert ferry.Device.current().id == 1
    buffer = ferry.Buffer(64)
    assert buffer.device_id == 1
assert [d.id for d in ferry.stats().devices] == [0, 1]
"""
    run = run_python(script, FERRY_DEVICES="cpu:2")
    assert (run.returncode, run.stderr) == (0, "")


def test_a_context_of_its_own_comes_back_after_a_device_block() -> None:
    def work() -> bool:
        with ferry.Context(0) as context:
            with ferry.Device(0):
                assert acl.rt.get_context()[0] != context.handle
            return bool(acl.rt.get_context()[0] == context.handle)

    assert in_thread(work)


def test_a_thread_without_a_device_is_told_what_to_do() -> None:
    def work() -> ferry.NoContextError:
        with pytest.raises(ferry.NoContextError) as caught:
            ferry.Stream()
        return caught.value

    error = in_thread(work)
    assert error.code == 107002
    assert "with ferry.Device(0)" in str(error)


@pytest.mark.parametrize("id", [99, -1])
def test_no_such_device(id: int) -> None:
    with pytest.raises(ferry.InvalidDeviceError) as caught, ferry.Device(id):
        pass
    assert caught.value.name == "RT_INVALID_DEVICEID"


@pytest.mark.parametrize("id", ["0", 0.0, None, True])
def test_a_device_is_named_by_an_int(id: Any) -> None:
    with pytest.raises(TypeError):
        ferry.Device(id)


def test_a_failed_block_leaves_the_stack_of_the_thread_alone() -> None:
    device = ferry.Device(99)
    for _ in range(2):
        with pytest.raises(ferry.InvalidDeviceError), device:
            pass
    assert device._befores.stack == []


def test_an_exception_in_a_block_is_not_replaced() -> None:
    def work() -> None:
        with ferry.Device(0):
            acl.rt.reset_device(0)  # so that the block's own reset may fail
            raise KeyError

    with pytest.raises(KeyError):
        work()


def test_devices_compare_print_and_travel() -> None:
    device = ferry.Device(3)
    assert device == ferry.Device(3) != ferry.Device(4)
    assert len({device, ferry.Device(3)}) == 1
    assert repr(device) == "Device(3)"
    assert pickle.loads(pickle.dumps(device)) == device


def test_memory_is_counted(device: ferry.Device) -> None:
    before = device.memory()
    with ferry.Buffer(1 << 20):
        assert device.memory().used >= before.used + (1 << 20)
    assert device.memory().used == before.used


def test_synchronize(device: ferry.Device, gate: Any) -> None:
    stream = ferry.Stream()
    gate.close(stream)
    with pytest.raises(ferry.AclTimeoutError):
        device.synchronize(timeout=0.001)
    gate.open()
    device.synchronize()
    stream.close()


def test_a_context_block_destroys_it() -> None:
    with ferry.Context(0) as context:
        assert not context.closed
        handle = context.handle
    assert context.closed
    assert acl.rt.set_context(handle) == 107000
    with pytest.raises(ferry.ClosedError):
        _ = context.handle
    with pytest.raises(ferry.ClosedError), context:
        pass
    context.close()


def test_another_thread_joins_a_context() -> None:
    with ferry.Context(0) as context:

        def work() -> tuple[bool, int]:
            with context.active():
                inside = acl.rt.get_context()[0] == context.handle
            # A thread cannot go back to having no context, but the context is still alive.
            return inside, acl.rt.get_context()[0]

        assert in_thread(work) == (True, context.handle)
        assert not context.closed


def test_a_forgotten_context_is_destroyed_with_a_warning() -> None:
    def work() -> int:
        with ferry.Device(0):
            context = ferry.Context(0)
            handle = context.handle
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", ResourceWarning)
                del context
            return int(acl.rt.set_context(handle))

    assert in_thread(work) == 107000
    with ferry.Device(0), pytest.warns(ResourceWarning):
        ferry.Context(0)


def test_a_stream_keeps_its_context() -> None:
    with ferry.Device(0):
        context = ferry.Context(0)
        with context.active():
            stream = ferry.Stream()
        del context
        stream.synchronize()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ResourceWarning)
            stream.close()
            del stream
