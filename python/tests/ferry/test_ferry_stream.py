# SPDX-License-Identifier: Apache-2.0
"""Stream, Event and Transfer: order, closing, failures, and objects that were never closed."""

from __future__ import annotations

import gc
import threading
import warnings
from typing import TYPE_CHECKING, Any, Callable

import acl
import pytest

import ferry
from ferry import context as context_module
from ferry import stream as stream_module

if TYPE_CHECKING:
    from .conftest import Gate, RunPython


def pinned(data: bytes) -> memoryview:
    memory = ferry.pinned_bytes(len(data))
    memory[:] = data
    return memory


def test_a_block_synchronises(device: ferry.Device) -> None:
    source, target = pinned(b"abcd"), ferry.pinned_bytes(4)
    with ferry.Buffer(4) as buffer:
        with ferry.Stream() as stream:
            ferry.copy_async(buffer, source, stream=stream)
            ferry.copy_async(target, buffer, stream=stream)
        assert bytes(target) == b"abcd"
        assert stream.closed


def test_use_after_close(device: ferry.Device) -> None:
    stream, event = ferry.Stream(), ferry.Event()
    stream.close()
    event.close()
    uses: tuple[Callable[[], object], ...] = (
        stream.synchronize,
        stream.idle,
        stream.abort,
        stream.record,
        event.done,
        event.synchronize,
        lambda: event.record(),
        lambda: ferry.copy_async(bytearray(1), b"a", stream=stream),
        lambda: stream.__enter__(),
        lambda: event.__enter__(),
    )
    for use in uses:
        with pytest.raises(ferry.ClosedError, match="closed"):
            use()
    stream.close()
    event.close()


def test_a_transfer_is_done_after_the_copy(stream: ferry.Stream, gate: Gate) -> None:
    with ferry.Buffer(4) as buffer:
        gate.close(stream)
        transfer = ferry.copy_async(buffer, pinned(b"abcd"), stream=stream)
        assert not transfer.done()
        assert "queued" in repr(transfer)
        with pytest.raises(TimeoutError):
            transfer.wait(timeout=0)
        with pytest.raises(ferry.AclTimeoutError):
            transfer.wait(timeout=0.001)
        gate.open()
        transfer.wait()
        assert transfer.done()
        assert transfer.stream is stream
        assert "done" in repr(transfer)
        assert buffer.tobytes() == b"abcd"


def test_a_transfer_can_be_waited_for_in_a_thread_without_a_device(stream: ferry.Stream, gate: Gate) -> None:
    with ferry.Buffer(4) as buffer:
        gate.close(stream)
        transfer = ferry.copy_async(buffer, pinned(b"abcd"), stream=stream)
        threads = [threading.Thread(target=transfer.wait) for _ in range(4)]
        for thread in threads:
            thread.start()
        gate.open()
        for thread in threads:
            thread.join()
        assert transfer.done()


def test_a_transfer_of_an_early_copy_does_not_wait_for_later_work(stream: ferry.Stream, gate: Gate) -> None:
    with ferry.Buffer(4) as buffer:
        transfer = ferry.copy_async(buffer, pinned(b"abcd"), stream=stream)
        gate.close(stream)
        transfer.wait()
        assert not stream.idle()


def test_failures_are_raised_by_wait_and_by_synchronize(device: ferry.Device) -> None:
    address, code = acl.rt.malloc(64, 0)
    ferry.check(code)
    foreign = ferry.Buffer.from_address(address, 4096)  # a lie that only shows on the device
    source = ferry.pinned_bytes(4096)
    with ferry.Stream() as stream:
        transfer = ferry.copy_async(foreign, source, stream=stream)
        with pytest.raises(ferry.TaskFailedError) as caught:
            transfer.wait()
        assert caught.value.code == 507001
        ferry.copy_async(foreign, source, stream=stream)
        with pytest.raises(ferry.TaskFailedError, match="aclrtMemcpyAsync"):
            stream.synchronize()
        stream.synchronize()
    with pytest.raises(ferry.TaskFailedError), ferry.Stream() as stream:
        ferry.copy_async(foreign, source, stream=stream)
    assert stream.closed
    ferry.check(acl.rt.free(address))


def test_synchronize_with_a_limit(stream: ferry.Stream, gate: Gate) -> None:
    gate.close(stream)
    for limit in (0, 0.001):
        with pytest.raises(ferry.AclTimeoutError) as caught:
            stream.synchronize(timeout=limit)
        assert caught.value.code == 507046
    with pytest.raises(ValueError, match="timeout"):
        stream.synchronize(timeout=-1)
    gate.open()
    stream.synchronize(timeout=1000)
    stream.synchronize(timeout=0)
    assert stream.idle()


def test_a_long_wait_leaves_no_trace(
    stream: ferry.Stream, gate: Gate, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(context_module, "_SLICE_SECONDS", 0.001)
    acl.rt.get_last_error(0)
    waits = []

    def wait(milliseconds: int) -> int:
        waits.append(milliseconds)
        if len(waits) == 3:
            gate.open()
        return acl.rt.synchronize_stream_with_timeout(stream.handle, milliseconds)

    gate.close(stream)
    assert context_module.wait_for(wait, None) == 0
    assert len(waits) >= 3
    assert acl.rt.peek_at_last_error(0) == 0
    assert acl.get_recent_err_msg() == ""


def test_an_exception_in_the_block_throws_queued_work_away(device: ferry.Device, gate: Gate) -> None:
    with ferry.Buffer(4) as buffer:
        buffer.fill(0)
        transfers = []

        def work() -> None:
            with ferry.Stream() as stream:
                gate.close(stream)
                transfers.append(ferry.copy_async(buffer, pinned(b"abcd"), stream=stream))
                raise KeyError

        with pytest.raises(KeyError):
            work()
        (transfer,) = transfers
        assert transfer.stream.closed
        with pytest.raises(ferry.StreamAbortedError):
            transfer.wait()
        assert "dropped" in repr(transfer)
        assert buffer.tobytes() == bytes(4)


def test_abort(stream: ferry.Stream, gate: Gate) -> None:
    with ferry.Buffer(4) as buffer:
        gate.close(stream)
        transfer = ferry.copy_async(buffer, pinned(b"abcd"), stream=stream)
        stream.abort()
        with pytest.raises(ferry.StreamAbortedError):
            transfer.wait()
        assert transfer.done()
        ferry.copy_async(buffer, pinned(b"efgh"), stream=stream).wait()
        assert buffer.tobytes() == b"efgh"


def test_a_stream_can_be_closed_in_any_thread(device: ferry.Device) -> None:
    stream = ferry.Stream()
    before: list[int] = []

    def work() -> None:
        stream.close()
        before.append(acl.rt.get_context()[1])

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert stream.closed
    assert before == [107002]  # the thread has no context, as before


def test_a_stream_can_be_closed_in_another_context(device: ferry.Device) -> None:
    stream = ferry.Stream()
    with ferry.Context(0) as context:
        stream.close()
        assert acl.rt.get_context()[0] == context.handle


def test_a_stream_outlived_its_device() -> None:
    with ferry.Context(0), ferry.Buffer(4) as buffer:
        stream = ferry.Stream()
        transfer = ferry.copy_async(buffer, pinned(b"abcd"), stream=stream)
    transfer.wait()
    with ferry.Device(0), pytest.raises(ferry.InvalidHandleError):
        stream.synchronize()
    stream.close()


def test_the_default_stream(device: ferry.Device) -> None:
    with ferry.Buffer(4) as buffer:
        transfer = ferry.copy_async(buffer, pinned(b"abcd"))
        assert transfer.stream is ferry.Stream.default()
        transfer.wait()
        with ferry.Stream.default() as stream:
            ferry.copy_async(buffer, pinned(b"efgh"))
        assert not stream.closed
        assert buffer.tobytes() == b"efgh"


def test_default_streams_of_dead_contexts_are_forgotten() -> None:
    for _ in range(3):
        with ferry.Context(0), ferry.Buffer(4) as buffer:
            ferry.copy_async(buffer, pinned(b"abcd")).wait()
    with ferry.Device(0):
        ferry.Stream.default()
    with ferry.Context(0):
        ferry.Stream.default()
        assert len(stream_module._defaults) <= 2


def test_a_forgotten_stream_finishes_its_work(device: ferry.Device, gate: Gate) -> None:
    target = ferry.pinned_bytes(4)
    with ferry.Buffer.from_host(b"abcd") as buffer:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ResourceWarning)
            stream = ferry.Stream()
            gate.close(stream)
            ferry.copy_async(target, buffer, stream=stream)
            waiter = stream.record()
            del stream
            gc.collect()
        assert len(stream_module._abandoned) == 1
        gate.open()
        waiter.synchronize()
        device.synchronize()
        ferry.Stream().close()
        assert len(stream_module._abandoned) == 0
        assert bytes(target) == b"abcd"


def test_a_forgotten_stream_warns(device: ferry.Device) -> None:
    with pytest.warns(ResourceWarning, match="never closed"):
        ferry.Stream()


def test_many_transfers_do_not_pile_up(stream: ferry.Stream) -> None:
    with ferry.Buffer(4) as buffer:
        source = pinned(b"abcd")
        for _ in range(5000):
            ferry.copy_async(buffer, source, stream=stream)
            if len(stream._pending) > 4000:
                stream.synchronize()
        stream.synchronize()
        assert len(stream._pending) == 0
        count, code = acl.rt.get_event_avail_num()
        ferry.check(code)
        assert count > 60000


def test_events_tie_streams_together(device: ferry.Device, gate: Gate) -> None:
    target = ferry.pinned_bytes(4)
    with ferry.Buffer(4) as buffer, ferry.Stream() as first, ferry.Stream() as second:
        buffer.fill(0)
        gate.close(first)
        ferry.copy_async(buffer, pinned(b"abcd"), stream=first)
        with first.record() as event:
            second.wait(event)
            assert not event.done()
        transfer = ferry.copy_async(target, buffer, stream=second)
        assert not transfer.done()
        gate.open()
        transfer.wait()
        assert bytes(target) == b"abcd"


def test_an_event_that_was_never_recorded(stream: ferry.Stream) -> None:
    with ferry.Event() as event, ferry.Event() as other:
        other.record(stream)
        stream.synchronize()
        uses: tuple[Callable[[], object], ...] = (
            event.done,
            event.synchronize,
            lambda: stream.wait(event),
            lambda: event.seconds_since(other),
            lambda: other.seconds_since(event),
        )
        for use in uses:
            with pytest.raises(ValueError, match="never recorded"):
                use()


def test_event_limits(stream: ferry.Stream, gate: Gate) -> None:
    gate.close(stream)
    with stream.record() as event:
        for limit in (0, 0.001):
            with pytest.raises(ferry.AclTimeoutError) as caught:
                event.synchronize(timeout=limit)
            assert caught.value.code == 507047
        gate.open()
        event.synchronize()
        assert event.done()


def test_priority_and_flags(device: ferry.Device) -> None:
    with ferry.Stream(priority=7, flags=ferry.StreamFlag.FAST_LAUNCH | ferry.StreamFlag.FAST_SYNC) as stream:
        assert stream.idle()
        assert f"{stream.handle:#x}" in repr(stream)
    assert "closed" in repr(stream)


@pytest.mark.parametrize("wait", ["stream.synchronize()", "event.synchronize()", "transfer.wait()"])
def test_a_signal_ends_waiting(run_python: RunPython, wait: str) -> None:
    script = f"""
import os, signal, threading, acl, ferry
signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell lets its background jobs ignore it
with ferry.Device(0), ferry.Buffer(64) as buffer:
    gate, code = acl.rt.create_event_with_flag(1)
    stream = ferry.Stream()
    ferry.check(acl.rt.stream_wait_event(stream.handle, gate))
    transfer = ferry.copy_async(buffer, ferry.pinned_bytes(64), stream=stream)
    event = stream.record()
    main = threading.main_thread().ident
    try:
        threading.Thread(target=lambda: signal.pthread_kill(main, signal.SIGINT)).start()
        {wait}
    except KeyboardInterrupt:
        print("heard")
    stream.close(force=True)
"""
    run = run_python(script)
    assert (run.returncode, run.stdout, run.stderr) == (0, "heard\n", "")


def test_a_waiting_thread_does_not_stop_the_others(stream: ferry.Stream, gate: Gate) -> None:
    """The gate is opened by a thread that can only run while the first one waits inside the library."""
    gate.close(stream)
    context, _ = acl.rt.get_context()
    order: list[str] = []

    def open_gate() -> None:
        acl.rt.set_context(context)
        order.append("opened")
        gate.open()

    opener: Any = threading.Thread(target=open_gate)
    opener.start()
    stream.synchronize()
    order.append("synchronised")
    opener.join()
    assert order == ["opened", "synchronised"]
