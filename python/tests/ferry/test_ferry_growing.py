# SPDX-License-Identifier: Apache-2.0
"""GrowingBuffer: device memory that grows and shrinks at one address."""

from __future__ import annotations

import gc
import threading
from typing import TYPE_CHECKING, Any, Callable

import acl
import numpy as np
import pytest

import ferry

if TYPE_CHECKING:
    from .conftest import Gate, RunPython

PIECE = 2 << 20


def location(address: int) -> int:
    attributes, code = acl.rt.pointer_get_attributes(address)
    ferry.check(code)
    return int(attributes["location"]["type"])


def is_mapped(address: int) -> bool:
    return location(address) == ferry.MemLocation.DEVICE


def test_growing_keeps_address_and_contents(device: ferry.Device) -> None:
    with ferry.GrowingBuffer(8 * PIECE) as buffer:
        address = buffer.address
        assert (len(buffer), buffer.capacity, buffer.piece_nbytes) == (0, 8 * PIECE, PIECE)
        assert not is_mapped(address)
        first = buffer.grow(PIECE - 100)
        first.fill(1)
        second = buffer.grow(PIECE)
        assert (second.address, len(second)) == (address + PIECE - 100, PIECE)
        second.fill(2)
        assert buffer.address == address
        contents = buffer.numpy()
        assert len(contents) == len(buffer) == 2 * PIECE - 100
        assert (contents[: PIECE - 100] == 1).all()
        assert (contents[PIECE - 100 :] == 2).all()
        assert len(buffer.grow(0)) == 0
    assert buffer.closed
    assert not is_mapped(address)


def test_memory_is_taken_and_given_back_in_pieces(device: ferry.Device) -> None:
    free = device.memory().free
    before = ferry.stats()

    def taken() -> int:
        now = ferry.stats()
        assert now.buffers == before.buffers + 1
        assert device.memory().free == free - (now.buffer_bytes - before.buffer_bytes)
        return now.buffer_bytes - before.buffer_bytes

    with ferry.GrowingBuffer(8 * PIECE) as buffer:
        assert taken() == 0
        buffer.grow(1)
        assert taken() == PIECE
        buffer.grow(PIECE)
        assert taken() == 2 * PIECE
        buffer.shrink(1)
        assert (len(buffer), taken()) == (PIECE, PIECE)
        buffer.grow(7 * PIECE)
        assert taken() == 8 * PIECE
        buffer.shrink(len(buffer))
        assert (len(buffer), taken()) == (0, 0)
        buffer.grow(3)
        buffer.fill(5)
        assert buffer.tobytes() == b"\5\5\5"
    after = ferry.stats()
    assert (after.buffers, after.buffer_bytes) == (before.buffers, before.buffer_bytes)
    assert device.memory().free == free


def test_copies_take_it(stream: ferry.Stream) -> None:
    with ferry.GrowingBuffer(4 * PIECE) as buffer, ferry.Buffer(2 * PIECE) as plain:
        buffer.grow(2 * PIECE)
        data = np.arange(2 * PIECE, dtype="uint32").view("uint8")[: 2 * PIECE].copy()
        ferry.copy(buffer, data)  # crosses the seam between two pieces
        ferry.copy(plain, buffer)
        np.testing.assert_array_equal(plain.numpy(), data)
        back = ferry.pinned_empty(2 * PIECE, "uint8")
        ferry.copy_async(back, buffer, stream=stream).wait()
        np.testing.assert_array_equal(back, data)
        seam = slice(PIECE - 2, PIECE + 2)
        ferry.copy_batch([(buffer[seam], b"abcd"), (buffer[:2], b"xy")])
        assert (buffer[seam].tobytes(), buffer[:2].tobytes()) == (b"abcd", b"xy")
        assert buffer.__dlpack_device__() == (12, 0)


def test_on_a_given_device(run_python: RunPython) -> None:
    script = """
import ferry
second = ferry.GrowingBuffer(1 << 21, device=1)     # needs no current device
other = ferry.GrowingBuffer(1 << 21, device=ferry.Device(1))
assert second.device_id == other.device_id == 1
second.grow(4)
with ferry.Device(1):
    ferry.copy(second, b"abcd")
    assert second.tobytes() == b"abcd"
    assert ferry.GrowingBuffer(1).device_id == 1
try:
    ferry.GrowingBuffer(1)
except ferry.NoContextError:
    pass
else:
    raise SystemExit("a thread without a device")
try:
    ferry.GrowingBuffer(1, device=2)
except ferry.InvalidDeviceError as error:
    assert error.function == "aclrtMemGetAllocationGranularity", error
"""
    run = run_python(script, FERRY_DEVICES="cpu:2")
    assert (run.returncode, run.stderr) == (0, "")


def test_out_of_memory_changes_nothing(run_python: RunPython) -> None:
    script = """
import ferry
with ferry.Device(0) as device, ferry.GrowingBuffer(1 << 30) as buffer:
    buffer.grow(40 << 20)
    buffer.fill(7)
    free = device.memory().free
    try:
        buffer.grow(40 << 20)
    except MemoryError as error:
        assert isinstance(error, ferry.OutOfMemoryError) and error.code == 207001
        print(error)
    assert device.memory().free == free
    assert len(buffer) == 40 << 20
    assert buffer.tobytes() == b"\\7" * len(buffer)
    buffer.shrink(20 << 20)
    buffer.grow(40 << 20)
"""
    run = run_python(script, FERRY_MEMORY="64M")
    assert run.returncode == 0, run.stderr
    assert "aclrtMallocPhysical" in run.stdout


def test_a_failed_mapping_changes_nothing(device: ferry.Device) -> None:
    free = device.memory().free
    with ferry.GrowingBuffer(4 * PIECE) as buffer:
        with (
            ferry.failing("aclrtMapMem", ferry.ErrorCode.RT_MEMORY_ALLOCATION),
            pytest.raises(ferry.OutOfMemoryError) as caught,
        ):
            buffer.grow(PIECE)
        assert caught.value.function == "aclrtMapMem"
        assert (len(buffer), device.memory().free) == (0, free)
        buffer.grow(PIECE)


@pytest.mark.parametrize("capacity", [0, -1])
def test_a_capacity_that_is_not_allowed(device: ferry.Device, capacity: int) -> None:
    with pytest.raises(ValueError, match="capacity"):
        ferry.GrowingBuffer(capacity)


@pytest.mark.parametrize("capacity", [2**62, 2**64 - 1, 2**64, "64", None])
def test_a_capacity_that_cannot_be(device: ferry.Device, capacity: Any) -> None:
    with pytest.raises((TypeError, ValueError, MemoryError)):
        ferry.GrowingBuffer(capacity)


def test_sizes_that_are_not_allowed(device: ferry.Device) -> None:
    with ferry.GrowingBuffer(100) as buffer:
        buffer.grow(60)
        for nbytes in (-1, 41):
            with pytest.raises(ValueError, match="allowed is 0 to 40: 60 of 100 bytes are in use"):
                buffer.grow(nbytes)
        for nbytes in (-1, 61):
            with pytest.raises(ValueError, match="allowed is 0 to 60"):
                buffer.shrink(nbytes)
        buffer.grow(40)
        assert len(buffer) == buffer.capacity


def test_large_capacities_have_large_pieces(device: ferry.Device) -> None:
    with ferry.GrowingBuffer(64 << 30) as buffer:
        assert buffer.piece_nbytes == 64 << 20
        buffer.grow(1)
        buffer.fill(1)


def test_removed_bytes_cannot_be_used(device: ferry.Device) -> None:
    with ferry.GrowingBuffer(4 * PIECE) as buffer:
        kept, removed = buffer.grow(PIECE), buffer.grow(PIECE)
        buffer.shrink(PIECE)
        with pytest.raises(ferry.InvalidArgumentError):
            removed.fill(0)
        kept.fill(0)


def test_shrinking_during_a_copy_waits_with_freeing(stream: ferry.Stream, gate: Gate) -> None:
    with ferry.GrowingBuffer(4 * PIECE) as buffer:
        buffer.grow(3 * PIECE)
        buffer.fill(9)
        address = buffer.address
        target = ferry.pinned_bytes(3 * PIECE)
        gate.close(stream)
        transfer = ferry.copy_async(target, buffer, stream=stream)
        buffer.shrink(2 * PIECE)
        assert len(buffer) == PIECE
        assert is_mapped(address + 2 * PIECE)
        again = buffer.grow(PIECE)  # what is still mapped is used again
        gate.open()
        transfer.wait()
        assert bytes(target) == b"\11" * (3 * PIECE)
        assert again.tobytes() == b"\11" * PIECE
        assert not is_mapped(address + 2 * PIECE)


def test_closing_during_a_copy_waits_with_freeing(stream: ferry.Stream, gate: Gate) -> None:
    target = ferry.pinned_bytes(4)
    gate.close(stream)
    with ferry.GrowingBuffer(PIECE) as buffer:
        ferry.copy(buffer.grow(4), b"abcd")
        address = buffer.address
        transfer = ferry.copy_async(target, buffer, stream=stream)
    assert is_mapped(address)
    gate.open()
    transfer.wait()
    assert bytes(target) == b"abcd"
    assert not is_mapped(address)


def test_the_object_frees(device: ferry.Device) -> None:
    buffer = ferry.GrowingBuffer(PIECE)
    part = buffer.grow(8)
    address = buffer.address
    del buffer
    gc.collect()
    part.fill(3)  # a slice keeps the memory alive
    assert part.tobytes() == b"\3" * 8
    del part
    gc.collect()
    assert not is_mapped(address)
    found, code = acl.rt.reserve_mem_address(PIECE, 0, address, 0)
    assert (found, code) == (address, 0)  # the addresses are free again
    ferry.check(acl.rt.release_mem_address(address))


def test_use_after_close(device: ferry.Device) -> None:
    buffer = ferry.GrowingBuffer(PIECE)
    buffer.grow(8)
    buffer.close()
    uses: tuple[Callable[[], object], ...] = (
        lambda: buffer.address,
        lambda: buffer.grow(8),
        lambda: buffer.shrink(8),
        lambda: buffer.tobytes(),
        lambda: buffer.share(),
        lambda: buffer.__enter__(),
    )
    for use in uses:
        with pytest.raises(ferry.ClosedError, match="closed"):
            use()
    buffer.close()


def test_threads_grow_one_buffer(device: ferry.Device) -> None:
    with ferry.GrowingBuffer(64 * PIECE) as buffer:
        parts: list[ferry.BufferView] = []

        def work() -> None:
            for _ in range(8):
                parts.append(buffer.grow(PIECE))
                buffer.shrink(0)

        threads = [threading.Thread(target=work) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert len(buffer) == 32 * PIECE
        assert sorted(part.address - buffer.address for part in parts) == [i * PIECE for i in range(32)]
        buffer.fill(1)


def test_only_a_growing_buffer_grows(device: ferry.Device) -> None:
    with ferry.Buffer(8) as buffer, pytest.raises(ValueError, match="cannot have this size"):
        buffer._resize(4)
    with ferry.GrowingBuffer(8) as growing, pytest.raises(ValueError, match="cannot have this size"):
        growing._resize(9)


def test_it_is_not_shared(device: ferry.Device) -> None:
    with ferry.GrowingBuffer(PIECE) as buffer:
        buffer.grow(PIECE)
        for memory in (buffer, buffer[:8]):
            with pytest.raises(ferry.NotSupportedError, match="copy it into a Buffer"):
                memory.share()


def test_the_end_of_the_process_is_silent(run_python: RunPython) -> None:
    script = """
import ferry
ferry.Device(0).activate()
stream = ferry.Stream()
buffer = ferry.GrowingBuffer(1 << 24)
buffer.grow(1 << 22)
transfer = ferry.copy_async(ferry.pinned_bytes(1 << 22), buffer, stream=stream)
"""
    run = run_python(script, FERRY_SCHEDULE="lazy")
    assert (run.returncode, run.stderr) == (0, "")
