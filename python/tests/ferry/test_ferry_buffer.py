# SPDX-License-Identifier: Apache-2.0
"""Buffer, its slices, memory owned by others, and pinned memory."""

from __future__ import annotations

import gc
import weakref
from typing import TYPE_CHECKING, Any, Callable

import acl
import numpy as np
import pytest

import ferry

if TYPE_CHECKING:
    from .conftest import Gate, RunPython


def location(address: int) -> int:
    attributes, code = acl.rt.pointer_get_attributes(address)
    ferry.check(code)
    return int(attributes["location"]["type"])


def test_a_block_frees(device: ferry.Device) -> None:
    with ferry.Buffer(64) as buffer:
        address = buffer.address
        assert location(address) == ferry.MemLocation.DEVICE
        assert len(buffer) == buffer.nbytes == 64
        assert f"{address:#x} on device 0" in repr(buffer)
    assert location(address) == ferry.MemLocation.UNREGISTERED
    assert buffer.closed
    assert "closed" in repr(buffer)


def test_use_after_close(device: ferry.Device) -> None:
    buffer = ferry.Buffer(8)
    part = buffer[2:4]
    buffer.close()
    assert part.closed
    uses: tuple[Callable[[], object], ...] = (
        lambda: buffer.address,
        lambda: part.address,
        lambda: buffer.fill(1),
        lambda: part.tobytes(),
        lambda: buffer.numpy(),
        lambda: ferry.copy(buffer, bytes(8)),
        lambda: ferry.copy(bytearray(2), part),
        lambda: ferry.copy_batch([(buffer, bytes(8))]),
        lambda: ferry.copy_async(buffer, bytes(8)),
        lambda: buffer.__dlpack__(),
        lambda: buffer.__enter__(),
    )
    for use in uses:
        with pytest.raises(ferry.ClosedError, match="closed"):
            use()
    buffer.close()


def test_the_object_frees(device: ferry.Device) -> None:
    buffer = ferry.Buffer(64)
    address = buffer.address
    part = buffer[:8]
    del buffer
    gc.collect()
    part.fill(3)  # a slice keeps the memory alive
    assert part.tobytes() == b"\3" * 8
    del part
    gc.collect()
    assert location(address) == ferry.MemLocation.UNREGISTERED


def test_closing_during_a_copy_waits_with_freeing(stream: ferry.Stream, gate: Gate) -> None:
    target = ferry.pinned_bytes(4)
    gate.close(stream)
    with ferry.Buffer.from_host(b"abcd") as buffer:
        address = buffer.address
        transfer = ferry.copy_async(target, buffer, stream=stream)
    assert buffer.closed
    assert location(address) == ferry.MemLocation.DEVICE
    gate.open()
    transfer.wait()
    assert bytes(target) == b"abcd"
    assert location(address) == ferry.MemLocation.UNREGISTERED


@pytest.mark.parametrize(
    ("part", "expected"),
    [
        (slice(None), b"abcdef"),
        (slice(2, 4), b"cd"),
        (slice(-2, None), b"ef"),
        (slice(4, 100), b"ef"),
        (slice(3, 3), b""),
        (slice(5, 2), b""),
    ],
)
def test_slices(device: ferry.Device, part: slice, expected: bytes) -> None:
    with ferry.Buffer.from_host(b"abcdef") as buffer:
        assert buffer[part].tobytes() == expected
        assert buffer[1:][part].tobytes() == b"bcdef"[part]


def test_what_is_no_slice(device: ferry.Device) -> None:
    with ferry.Buffer(8) as buffer:
        with pytest.raises(TypeError, match="slices only"):
            buffer[0]  # type: ignore[index]
        with pytest.raises(ValueError, match="step"):
            buffer[::2]
        for offset, nbytes in ((9, 0), (0, 9), (4, 5), (1, 2**64 - 1)):
            with pytest.raises(ValueError, match="inside"):
                ferry.BufferView(buffer, offset, nbytes)


@pytest.mark.parametrize("nbytes", [0, -1])
def test_a_size_that_is_not_allowed(device: ferry.Device, nbytes: int) -> None:
    with pytest.raises(ValueError, match="nbytes"):
        ferry.Buffer(nbytes)


@pytest.mark.parametrize("nbytes", [2**63, 2**64, "64", 1.5, None])
def test_a_size_that_is_no_size(device: ferry.Device, nbytes: Any) -> None:
    with pytest.raises((TypeError, ValueError, MemoryError, OverflowError)):
        ferry.Buffer(nbytes)


def test_out_of_memory(run_python: RunPython) -> None:
    script = """
import ferry
with ferry.Device(0) as device:
    kept = ferry.Buffer(40 << 20)
    try:
        ferry.Buffer(40 << 20)
    except MemoryError as error:
        assert isinstance(error, ferry.OutOfMemoryError) and error.code == 207001
        print(error)
    kept.close()
    ferry.Buffer(40 << 20).close()
"""
    run = run_python(script, FERRY_MEMORY="64M")
    assert run.returncode == 0, run.stderr
    assert "aclrtMalloc" in run.stdout


@pytest.mark.parametrize("value", [-1, 256])
def test_fill_wants_a_byte(device: ferry.Device, value: int) -> None:
    with ferry.Buffer(8) as buffer, pytest.raises(ValueError, match="0 to 255"):
        buffer.fill(value)


def test_numpy(device: ferry.Device) -> None:
    array = np.arange(12, dtype="float32").reshape(3, 4)
    with ferry.Buffer.from_host(array) as buffer:
        np.testing.assert_array_equal(buffer.numpy("float32", (3, 4)), array)
        with pytest.raises(ValueError):  # noqa: PT011  # numpy's own words
            buffer.numpy("float32", (5, 4))


def test_memory_of_somebody_else(device: ferry.Device) -> None:
    class Owner:
        pass

    owner = Owner()
    alive = weakref.ref(owner)
    address, code = acl.rt.malloc(64, 0)
    ferry.check(code)
    buffer = ferry.Buffer.from_address(address, 64, owner)
    del owner
    gc.collect()
    assert alive() is not None
    buffer.fill(5)
    assert buffer[:2].tobytes() == b"\5\5"
    buffer.close()
    gc.collect()
    assert alive() is None
    assert location(address) == ferry.MemLocation.DEVICE
    ferry.check(acl.rt.free(address))
    with pytest.raises(ValueError, match="not in device memory"):
        ferry.Buffer.from_address(address, 64)
    with pytest.raises(ferry.InvalidArgumentError):
        ferry.Buffer.from_address(0, 64)


def test_pinned_memory_is_pinned_and_freed(device: ferry.Device) -> None:
    array = ferry.pinned_empty((4, 8), np.float32)
    assert array.shape == (4, 8)
    assert array.dtype == np.float32
    assert array.flags.writeable
    assert array.flags.c_contiguous
    address = int(array.ctypes.data)
    assert address % 64 == 0
    assert location(address) == ferry.MemLocation.HOST
    view = array[2]
    del array
    gc.collect()
    view[:] = 1
    assert location(address) == ferry.MemLocation.HOST
    del view
    gc.collect()
    assert location(address) == ferry.MemLocation.UNREGISTERED


def test_pinned_memory_outlives_the_device() -> None:
    with ferry.Context(0), ferry.Device(0):
        array = ferry.pinned_empty(1024, "uint8")
    array[:] = 7
    assert int(array.sum()) == 7 * 1024


def test_pinned_shapes(device: ferry.Device) -> None:
    assert ferry.pinned_empty(3).dtype == np.float64
    assert ferry.pinned_empty(()).shape == ()
    assert ferry.pinned_empty(np.int64(3)).shape == ferry.pinned_empty([np.int32(3)]).shape == (3,)
    assert ferry.pinned_empty((0, 4)).shape == (0, 4)
    assert len(ferry.pinned_bytes(0)) == 0
    with pytest.raises(ValueError, match="negative"):
        ferry.pinned_empty((2, -1))
    with pytest.raises(TypeError, match="objects"):
        ferry.pinned_empty(4, object)
    with pytest.raises(TypeError):
        ferry.pinned_empty(4, "no such type")
    record = np.dtype([("a", "i4"), ("b", "f8")])
    assert ferry.pinned_empty(2, record).dtype == record


def test_numpy_is_optional(run_python: RunPython) -> None:
    script = """
import sys
sys.modules["numpy"] = None
import ferry
with ferry.Device(0), ferry.Stream() as stream, ferry.Buffer(4) as buffer:
    memory = ferry.pinned_bytes(4)
    memory[:] = b"abcd"
    ferry.copy_async(buffer, memory, stream=stream).wait()
    assert buffer.tobytes() == b"abcd"
    for use in (lambda: ferry.pinned_empty(4), lambda: buffer.numpy()):
        try:
            use()
        except ImportError as error:
            assert "numpy" in str(error)
        else:
            raise SystemExit("no ImportError")
"""
    run = run_python(script)
    assert (run.returncode, run.stderr) == (0, "")
