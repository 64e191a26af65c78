# SPDX-License-Identifier: Apache-2.0
"""Copies: which objects are accepted, which are refused, and what is kept alive."""

from __future__ import annotations

import array
import ctypes
import gc
import mmap
import weakref
from typing import TYPE_CHECKING, Any, Callable

import acl
import numpy as np
import pytest

import ferry
from ferry import _native

if TYPE_CHECKING:
    from .conftest import Gate

DATA = bytes(range(16))


class Tensor:
    """A tensor of another library: it has no buffer protocol, and supports DLPack up to a version."""

    def __init__(self, array: Any, version: int = 1) -> None:
        self._array = array
        self._version = version

    def __dlpack_device__(self) -> tuple[int, int]:
        return (1, 0)

    def __dlpack__(self, **options: Any) -> Any:
        if self._version == 0:
            if options:
                raise TypeError("an old tensor takes no arguments")
            return self._array.__dlpack__()
        return self._array.__dlpack__(**options)


def mapped() -> mmap.mmap:
    return mmap.mmap(-1, 16)


TARGETS: dict[str, Callable[[], Any]] = {
    "bytearray": lambda: bytearray(16),
    "memoryview": lambda: memoryview(bytearray(32))[8:24],
    "typed memoryview": lambda: memoryview(bytearray(16)).cast("I"),
    "array.array": lambda: array.array("i", [0] * 4),
    "ctypes": lambda: (ctypes.c_uint32 * 4)(),
    "mmap": mapped,
    "numpy": lambda: np.zeros(4, "int32"),
    "numpy slice": lambda: np.zeros((4, 4), "int32")[2],
    "numpy, two axes": lambda: np.zeros((2, 2), "float32"),
    "numpy scalar array": lambda: np.zeros((), "complex128"),
    "numpy dates": lambda: np.zeros(2, "datetime64[ns]"),
    "numpy record": lambda: np.zeros(2, [("a", "i4"), ("b", "f4")]),
    "numpy text": lambda: np.zeros(2, "U2"),
    "pinned": lambda: ferry.pinned_empty(4, "int32"),
    "DLPack 1": lambda: Tensor(np.zeros(4, "int32")),
    "DLPack 0": lambda: Tensor(np.zeros(4, "int32"), version=0),
    "DLPack, two axes": lambda: Tensor(np.zeros((2, 2), "int32")),
}


def contents(target: Any) -> bytes:
    if isinstance(target, Tensor):
        target = target._array
    if isinstance(target, np.ndarray):
        return bytes(target.tobytes())
    return bytes(target)


@pytest.mark.parametrize("name", TARGETS)
def test_objects_that_are_taken(device: ferry.Device, name: str) -> None:
    target = TARGETS[name]()
    with ferry.Buffer.from_host(DATA) as buffer, ferry.Buffer(16) as other:
        assert _native.nbytes(target) == 16
        ferry.copy(target, buffer)
        assert contents(target) == DATA
        ferry.copy(other, target)
        assert other.tobytes() == DATA
        other.fill(0)
        ferry.copy_async(other, target).wait()
        assert other.tobytes() == DATA
        other.fill(0)
        ferry.copy_batch([(other[:16], target)])
        assert other.tobytes() == DATA


def read_only_array() -> Any:
    array = np.zeros(4, "int32")
    array.flags.writeable = False
    return array


def read_only_dates() -> Any:
    array = np.zeros(2, "datetime64[ns]")
    array.flags.writeable = False
    return array


READ_ONLY: dict[str, Callable[[], Any]] = {
    "bytes": lambda: bytes(16),
    "memoryview": lambda: memoryview(bytes(16)),
    "numpy": read_only_array,
    "numpy dates": read_only_dates,
    "DLPack": lambda: Tensor(read_only_array()),
}


@pytest.mark.parametrize("name", READ_ONLY)
def test_read_only_targets_are_refused(device: ferry.Device, name: str) -> None:
    if name == "DLPack" and np.lib.NumpyVersion(np.__version__) < "2.1.0":
        pytest.skip("this numpy does not export read-only arrays by DLPack")
    target = READ_ONLY[name]()
    with ferry.Buffer.from_host(DATA) as buffer:
        uses: tuple[Callable[[], object], ...] = (
            lambda: ferry.copy(target, buffer),
            lambda: ferry.copy_async(target, buffer),
            lambda: ferry.copy_batch([(target, buffer)]),
        )
        for use in uses:
            with pytest.raises(TypeError, match="read-only"):
                use()
        ferry.copy(buffer, target)  # as a source it is fine
        assert buffer.tobytes() == bytes(16)


GAPS: dict[str, Callable[[], Any]] = {
    "numpy step": lambda: np.zeros(8, "int32")[::2],
    "numpy column": lambda: np.zeros((4, 4), "int32")[:, 1],
    "numpy transposed": lambda: np.zeros((2, 2), "int32").T,
    "numpy backwards": lambda: np.zeros(4, "int32")[::-1],
    "numpy dates": lambda: np.zeros(4, "datetime64[ns]")[::2],
    "memoryview": lambda: memoryview(bytearray(32))[::2],
    "DLPack": lambda: Tensor(np.zeros(8, "int32")[::2]),
}


@pytest.mark.parametrize("name", GAPS)
def test_gaps_are_refused(device: ferry.Device, name: str) -> None:
    with ferry.Buffer.from_host(DATA) as buffer:
        uses: tuple[Callable[[], object], ...] = (
            lambda: ferry.copy(GAPS[name](), buffer),
            lambda: ferry.copy(buffer, GAPS[name]()),
        )
        for use in uses:
            with pytest.raises(ValueError, match="not contiguous"):
                use()


class BadTensor:
    def __init__(self, answer: Any) -> None:
        self._answer = answer

    def __dlpack__(self, **options: Any) -> Any:
        if isinstance(self._answer, BaseException):
            raise self._answer
        return self._answer


@pytest.mark.parametrize("thing", [None, 5, "text", 1.5, object(), [1, 2], np.zeros(2, object)], ids=str)
def test_what_is_no_memory(device: ferry.Device, thing: Any) -> None:
    with ferry.Buffer(16) as buffer:
        uses: tuple[Callable[[], object], ...] = (
            lambda: ferry.copy(buffer, thing),
            lambda: ferry.copy(thing, buffer),
            lambda: ferry.copy_batch([(thing, buffer)]),
        )
        for use in uses:
            with pytest.raises(TypeError, match="allowed are"):
                use()


@pytest.mark.parametrize("answer", [None, 5, "capsule"])
def test_tensors_that_answer_nonsense(device: ferry.Device, answer: Any) -> None:
    with ferry.Buffer(16) as buffer, pytest.raises(TypeError):
        ferry.copy(buffer, BadTensor(answer))


def test_what_a_tensor_raises_is_passed_on(device: ferry.Device) -> None:
    with ferry.Buffer(16) as buffer, pytest.raises(KeyError):
        ferry.copy(buffer, BadTensor(KeyError("mine")))


def test_sizes_must_be_the_same(device: ferry.Device) -> None:
    with ferry.Buffer(16) as buffer:
        for dst, src in ((buffer, bytes(15)), (buffer, bytes(17)), (bytearray(8), buffer)):
            with pytest.raises(ValueError, match="slice the larger one"):
                ferry.copy(dst, src)
        with pytest.raises(ValueError, match="item 1: dst has 8 bytes and src has 9"):
            ferry.copy_batch([(buffer[:8], bytes(8)), (buffer[8:], bytes(9))])


def test_nothing_to_copy(device: ferry.Device) -> None:
    with ferry.Buffer(16) as buffer:
        ferry.copy(buffer[:0], b"")
        ferry.copy(bytearray(), b"")
        ferry.copy_async(buffer[:0], b"").wait()
        ferry.copy(np.empty((0, 4)), buffer[:0])


def test_between_buffers_and_between_host_objects(device: ferry.Device) -> None:
    target = bytearray(16)
    with ferry.Buffer.from_host(DATA) as first, ferry.Buffer(16) as second:
        ferry.copy(second, first)
        assert second.tobytes() == DATA
        second.fill(0)
        ferry.copy_async(second, first).wait()
        assert second.tobytes() == DATA
        ferry.copy(target, DATA)
        assert target == DATA
        with pytest.raises(ferry.NotSupportedError) as caught:
            ferry.copy_async(target, DATA)
        assert caught.value.code == 207000


def test_device_tensors(device: ferry.Device) -> None:
    class NpuTensor:
        """A tensor on an NPU as another library exports it: only DLPack."""

        def __init__(self, buffer: ferry.Buffer, version: tuple[int, int] | None) -> None:
            self._buffer = buffer
            self._version = version

        def __dlpack__(self, **options: Any) -> Any:
            return self._buffer.__dlpack__(max_version=self._version)

    for version in (None, (1, 0)):
        buffer = ferry.Buffer.from_host(DATA)
        tensor: Any = NpuTensor(buffer, version)
        target = bytearray(16)
        ferry.copy(target, tensor)
        assert target == DATA
        ferry.copy(tensor, bytes(16))
        ferry.copy_batch([(target, tensor)])
        assert target == bytes(16)
        buffer.close()


def test_a_tensor_of_a_buffer_keeps_the_memory(device: ferry.Device) -> None:
    for version in (None, (1, 0)):
        buffer = ferry.Buffer(16)
        address = buffer.address
        assert buffer.__dlpack_device__() == (12, 0)
        capsule = buffer.__dlpack__(max_version=version)
        buffer.close()
        attributes, _ = acl.rt.pointer_get_attributes(address)
        assert attributes["location"]["type"] == ferry.MemLocation.DEVICE
        del capsule
        gc.collect()
        attributes, _ = acl.rt.pointer_get_attributes(address)
        assert attributes["location"]["type"] == ferry.MemLocation.UNREGISTERED
    with ferry.Buffer(16) as buffer:
        with pytest.raises(BufferError):
            buffer.__dlpack__(dl_device=(1, 0))
        with pytest.raises(BufferError):
            buffer.__dlpack__(copy=True)


def test_both_sides_stay_until_the_copy_is_done(stream: ferry.Stream, gate: Gate) -> None:
    array = ferry.pinned_empty(16, "uint8")
    array[:] = list(DATA)
    memory = weakref.ref(array.base if array.base is not None else array)
    buffer = ferry.Buffer(16)
    part = buffer[:]
    gate.close(stream)
    ferry.copy_async(part, array, stream=stream)  # nothing keeps the returned Transfer
    before = ferry.stats().pinned_bytes
    del array, part
    gc.collect()
    now = ferry.stats()
    assert (now.pinned_bytes, now.in_flight) == (before, 1)
    assert memory() is not None
    gate.open()
    stream.synchronize()
    assert ferry.stats().in_flight == 0
    gc.collect()
    assert memory() is None
    assert buffer.tobytes() == DATA


def test_a_buffer_in_flight_cannot_be_resized(stream: ferry.Stream, gate: Gate) -> None:
    memory = mmap.mmap(-1, 4096)
    address = ctypes.addressof(ctypes.c_char.from_buffer(memory))
    ferry.check(acl.rt.host_register_v2(address, 4096, int(ferry.HostRegisterFlag.PINNED)))
    gc.collect()
    with ferry.Buffer(4096) as buffer:
        gate.close(stream)
        transfer = ferry.copy_async(buffer, memory, stream=stream)
        assert not transfer.done()
        with pytest.raises(BufferError):
            memory.close()
        gate.open()
        transfer.wait()
    ferry.check(acl.rt.host_unregister(address))
    memory.close()


def test_a_failed_copy_holds_nothing(device: ferry.Device) -> None:
    data = bytearray(16)
    with ferry.Buffer(8) as buffer:
        with pytest.raises(ValueError, match="bytes"):
            ferry.copy(buffer, data)
        with pytest.raises(TypeError):
            ferry.copy_batch([(buffer, data[:8]), (5, data)])  # type: ignore[list-item]
    data.append(1)  # a leaked export would forbid this
