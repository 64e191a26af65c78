# SPDX-License-Identifier: Apache-2.0
"""acl.rt: copies and sets: single, 2D, by descriptor, and in batches."""

from __future__ import annotations

import ctypes
import gc
import mmap
import sys
from typing import TYPE_CHECKING, Any, Callable

import acl
import pytest

if TYPE_CHECKING:
    from tests.acl.conftest import Allocate, RunPython

np = pytest.importorskip("numpy")

NO_ITEM = 2**64 - 1
TO_DEVICE = {"dstLoc": {"id": 0, "type": 1}, "srcLoc": {"id": 0, "type": 0}}
TO_HOST = {"dstLoc": {"id": 0, "type": 0}, "srcLoc": {"id": 0, "type": 1}}


def fill(pointer: int, data: bytes) -> None:
    ctypes.memmove(pointer, data, len(data))


def read(pointer: int, size: int) -> bytes:
    return ctypes.string_at(pointer, size)


def pattern(size: int) -> bytes:
    return bytes(i * 7 % 251 for i in range(size))


def read_device(pointer: int, size: int) -> bytes:
    target = ctypes.create_string_buffer(size)
    assert acl.rt.memcpy(ctypes.addressof(target), size, pointer, size, 2) == 0
    return target.raw


def test_memcpy_all_ways(device_memory: Allocate) -> None:
    data = pattern(1000)
    source = ctypes.create_string_buffer(data, 1000)
    middle = ctypes.create_string_buffer(1000)
    target = ctypes.create_string_buffer(1000)
    first, second = device_memory(1000), device_memory(1000)
    assert acl.rt.memcpy(ctypes.addressof(middle), 1000, ctypes.addressof(source), 1000, 0) == 0
    assert acl.rt.memcpy(first, 1000, ctypes.addressof(middle), 1000, 1) == 0
    assert acl.rt.memcpy(second, 1000, first, 1000, 3) == 0
    assert acl.rt.memcpy(ctypes.addressof(target), 1000, second, 1000, 2) == 0
    assert target.raw == data


@pytest.mark.parametrize("kind", range(6))
def test_memcpy_takes_any_kind(device_memory: Allocate, kind: int) -> None:
    data = pattern(64)
    pointer = device_memory(64)
    assert acl.rt.memcpy(pointer, 64, ctypes.addressof(ctypes.create_string_buffer(data, 64)), 64, kind) == 0
    assert read_device(pointer, 64) == data


def test_memcpy_refuses(device_memory: Allocate) -> None:
    pointer = device_memory(64)
    host = ctypes.create_string_buffer(128)
    address = ctypes.addressof(host)
    assert acl.rt.memcpy(pointer, 64, address, 65, 1) == 107000
    assert acl.rt.memcpy(pointer, 128, address, 128, 1) == 107000
    assert acl.rt.memcpy(0, 64, address, 64, 1) == 100000
    assert acl.rt.memcpy(pointer, 64, address, 64, 99) == 100000
    assert acl.rt.memcpy(pointer, 64, address, 64, -1) == 100000
    assert acl.rt.memcpy(0, 0, 0, 0, 0) == 0


def test_memory_that_is_gone(device_memory: Allocate, stream: int) -> None:
    pointer = device_memory(4096)
    memory = mmap.mmap(-1, 4096)
    address = ctypes.addressof(ctypes.c_char.from_buffer(memory))
    gc.collect()
    memory.close()
    assert acl.rt.memcpy(pointer, 4096, address, 4096, 1) == 107000
    assert acl.rt.memcpy(address, 4096, pointer, 4096, 2) == 107000
    assert acl.rt.memcpy_async(pointer, 4096, address, 4096, 1, stream) == 107000
    freed, ret = acl.rt.malloc(4096, 0)
    assert ret == 0
    assert acl.rt.free(freed) == 0
    assert acl.rt.memcpy(freed, 64, pointer, 64, 3) == 107000
    assert acl.rt.memset(freed, 64, 0, 64) == 107000


def test_memory_that_cannot_be_written(device_memory: Allocate) -> None:
    with open(sys.executable, "rb") as file, mmap.mmap(file.fileno(), 4096, prot=mmap.PROT_READ) as memory:
        address = np.frombuffer(memory, np.uint8).ctypes.data
        pointer = device_memory(4096)
        assert acl.rt.memcpy(pointer, 4096, address, 4096, 1) == 0
        assert acl.rt.memcpy(address, 4096, pointer, 4096, 2) == 107000
        gc.collect()


@pytest.mark.parametrize("name", ["memcpy_async", "memcpy_async_with_condition"])
def test_memcpy_async(stream: int, device_memory: Allocate, pinned_memory: Allocate, name: str) -> None:
    copy = getattr(acl.rt, name)
    data = pattern(4096)
    source, target, pointer = pinned_memory(4096), pinned_memory(4096), device_memory(4096)
    fill(source, data)
    assert copy(pointer, 4096, source, 4096, 1, stream) == 0
    assert copy(target, 4096, pointer, 4096, 2, stream) == 0
    assert acl.rt.synchronize_stream(stream) == 0
    assert read(target, 4096) == data
    assert copy(pointer, 4095, source, 4096, 1, stream) == 107000
    assert copy(pointer, 4096, source, 4096, 1, 12345) == 107017


def test_memcpy_async_runs_later(
    stream: int, closed: Callable[[], None], device_memory: Allocate, pinned_memory: Allocate
) -> None:
    source, pointer = pinned_memory(64), device_memory(64)
    fill(source, b"a" * 64)
    assert acl.rt.memset(pointer, 64, 0, 64) == 0
    assert acl.rt.memcpy_async(pointer, 64, source, 64, 1, stream) == 0
    assert read_device(pointer, 64) == bytes(64)
    fill(source, b"b" * 64)
    closed()
    assert acl.rt.synchronize_stream(stream) == 0
    assert read_device(pointer, 64) == b"b" * 64


def test_memcpy_async_within_the_host(stream: int, pinned_memory: Allocate) -> None:
    assert acl.rt.memcpy_async(pinned_memory(64), 64, pinned_memory(64), 64, 0, stream) == 207000


def test_memcpy_async_pageable_unaligned_and_default_stream(device_memory: Allocate) -> None:
    data = pattern(333)
    source = ctypes.create_string_buffer(data, 333)
    pointer = device_memory(512)
    assert acl.rt.memcpy_async(pointer + 3, 333, ctypes.addressof(source), 333, 1, 0) == 0
    source.raw = bytes(333)  # pageable memory: the call returned only after the copy
    assert read_device(pointer + 3, 333) == data


def test_memcpy2d(stream: int, device_memory: Allocate, pinned_memory: Allocate) -> None:
    data = pattern(64)
    source, target, pointer = pinned_memory(64), pinned_memory(64), device_memory(128)
    fill(source, data)
    fill(target, bytes(64))
    assert acl.rt.memcpy2d(pointer, 32, source, 16, 8, 4, 1) == 0
    assert acl.rt.memcpy2d_async(target, 16, pointer, 32, 8, 4, 2, stream) == 0
    assert acl.rt.synchronize_stream(stream) == 0
    got = read(target, 64)
    for row in range(4):
        assert got[16 * row : 16 * row + 8] == data[16 * row : 16 * row + 8]
        assert got[16 * row + 8 : 16 * row + 16] == bytes(8)
    assert acl.rt.memcpy2d(pointer, 4, source, 16, 8, 4, 1) == 100000
    assert acl.rt.memcpy2d(pointer, 2**40, source, 2**40, 5_000_001, 1, 1) == 107000
    assert acl.rt.memcpy2d_async(target, 16, pointer, 32, 8, 5 * 1024 * 1024 + 1, 2, stream) == 107000


def test_descriptor(stream: int, device_memory: Allocate) -> None:
    size, ret = acl.rt.get_memcpy_desc_size(6)
    assert ret == 0
    assert size > 0
    assert acl.rt.get_memcpy_desc_size(1) == (0, 207000)
    source, target, desc = device_memory(64), device_memory(64), device_memory(size)
    assert acl.rt.memset(source, 64, 5, 64) == 0
    assert acl.rt.memset(target, 64, 0, 64) == 0
    assert acl.rt.set_memcpy_desc(desc, 6, source, target, 64, 0) == (desc, 0)
    assert acl.rt.set_memcpy_desc(desc, 6, source, target, 64) == (desc, 0)
    assert acl.rt.memcpy_async_with_desc(desc, 6, stream) == 0
    assert acl.rt.synchronize_stream(stream) == 0
    assert read_device(target, 64) == b"\5" * 64
    assert acl.rt.set_memcpy_desc(desc, 1, source, target, 64, 0) == (desc, 207000)
    assert acl.rt.memcpy_async_with_desc(0, 6, stream) == 100000


def test_memset(stream: int, device_memory: Allocate, pinned_memory: Allocate) -> None:
    pointer, host = device_memory(64), pinned_memory(64)
    assert acl.rt.memset(pointer, 64, 0xAB, 64) == 0
    assert read_device(pointer, 64) == b"\xab" * 64
    assert acl.rt.memset_async(pointer, 64, 3, 32, stream) == 0
    assert acl.rt.memset_async(host, 64, 4, 64, stream) == 0
    assert acl.rt.synchronize_stream(stream) == 0
    assert read_device(pointer, 64) == b"\3" * 32 + b"\xab" * 32
    assert read(host, 64) == b"\4" * 64
    assert acl.rt.memset(pointer, 64, 0, 65) == 107000


class Batch:
    """Three blocks of 64 bytes on both sides."""

    def __init__(self, device_memory: Allocate, pinned_memory: Allocate) -> None:
        self.count = 3
        self.sizes = [64, 32, 16]
        self.maxs = [64] * 3
        self.devices = [device_memory(64) for _ in range(3)]
        self.hosts = [pinned_memory(64) for _ in range(3)]
        for i, host in enumerate(self.hosts):
            fill(host, bytes([i + 1]) * 64)

    def clear(self) -> None:
        for host in self.hosts:
            fill(host, bytes(64))

    def check(self) -> None:
        for i, (host, size) in enumerate(zip(self.hosts, self.sizes)):
            assert read(host, 64) == bytes([i + 1]) * size + bytes(64 - size)


@pytest.fixture
def batch(device_memory: Allocate, pinned_memory: Allocate) -> Batch:
    return Batch(device_memory, pinned_memory)


def test_batch(batch: Batch) -> None:
    there = acl.rt.memcpy_batch(batch.devices, batch.maxs, batch.hosts, batch.sizes, [TO_DEVICE], [0])
    assert there == (NO_ITEM, 0)
    batch.clear()
    back = acl.rt.memcpy_batch(
        batch.hosts, batch.maxs, batch.devices, batch.sizes, [TO_HOST, TO_HOST], [0, 2]
    )
    assert back == (NO_ITEM, 0)
    batch.check()


def test_batch_async(batch: Batch, stream: int) -> None:
    reserved = {**TO_DEVICE, "rsv": [0] * 16}
    there = acl.rt.memcpy_batch_async(
        batch.devices, batch.maxs, batch.hosts, batch.sizes, [reserved], [0], stream
    )
    assert there == (NO_ITEM, 0)
    assert acl.rt.synchronize_stream(stream) == 0
    batch.clear()
    back = acl.rt.memcpy_batch_async(
        tuple(batch.hosts),  # type: ignore[arg-type]
        batch.maxs,
        batch.devices,
        batch.sizes,
        [TO_HOST],
        [0],
        stream,
    )
    assert back == (NO_ITEM, 0)
    assert acl.rt.synchronize_stream(stream) == 0
    batch.check()


def test_batch_names_the_item_at_fault(batch: Batch, stream: int) -> None:
    maxs = [64, 64, 8]
    assert acl.rt.memcpy_batch(batch.devices, maxs, batch.hosts, batch.sizes, [TO_DEVICE], [0]) == (2, 100000)
    wrong = acl.rt.memcpy_batch_async(
        batch.devices, batch.maxs, batch.hosts, batch.sizes, [TO_DEVICE, TO_HOST], [0, 1], stream
    )
    assert wrong == (1, 107000)
    assert acl.rt.memcpy_batch([], [], [], [], [], []) == (NO_ITEM, 100000)


def test_batch_lists_of_unequal_length(batch: Batch, stream: int) -> None:
    good: list[Any] = [batch.devices, batch.maxs, batch.hosts, batch.sizes, [TO_DEVICE], [0]]
    for place in range(6):
        bad = list(good)
        bad[place] = [*good[place], good[place][0]]
        with pytest.raises(ValueError, match="items"):
            acl.rt.memcpy_batch(*bad)
        bad.append(stream)
        with pytest.raises(ValueError, match="items"):
            acl.rt.memcpy_batch_async(*bad)


@pytest.mark.parametrize("place", range(6))
@pytest.mark.parametrize("wrong", [None, 5, "abc", [None], ["1"], [-1], [1 << 64], [{}], [1.5]])
def test_batch_of_wrong_types(batch: Batch, place: int, wrong: Any) -> None:
    arguments: list[Any] = [batch.devices, batch.maxs, batch.hosts, batch.sizes, [TO_DEVICE], [0]]
    arguments[place] = wrong
    with pytest.raises(TypeError):
        acl.rt.memcpy_batch(*arguments)


@pytest.mark.parametrize(
    "attribute",
    [
        {"dstLoc": {"id": 0, "type": 1}},
        {"dstLoc": {"id": 0}, "srcLoc": {"id": 0, "type": 0}},
        {"dstLoc": 1, "srcLoc": 0},
        {**TO_DEVICE, "rsv": 5},
    ],
)
def test_batch_with_wrong_attributes(batch: Batch, attribute: Any) -> None:
    with pytest.raises(TypeError, match=r"attrs\[0\]|rsv"):
        acl.rt.memcpy_batch(batch.devices, batch.maxs, batch.hosts, batch.sizes, [attribute], [0])


def test_batch_whose_lists_change_while_they_are_read(batch: Batch) -> None:
    sizes: list[Any] = [64, 32, 16]

    class Shrinks:
        def __index__(self) -> int:
            sizes.clear()
            return 64

    sizes[0] = Shrinks()
    with pytest.raises(ValueError, match="sizes has 1"):
        acl.rt.memcpy_batch(batch.devices, batch.maxs, batch.hosts, sizes, [TO_DEVICE], [0])


def test_batch_on_a_product_without(run_python: RunPython) -> None:
    run_python(
        """
import acl
assert acl.rt.set_device(0) == 0
device, _ = acl.rt.malloc(64, 0)
host, _ = acl.rt.malloc_host(64)
place = {"dstLoc": {"id": 0, "type": 1}, "srcLoc": {"id": 0, "type": 0}}
index, ret = acl.rt.memcpy_batch([device], [64], [host], [64], [place], [0])
assert ret == 207000, ret
""",
        FERRY_SOC="Ascend310P3",
    )
