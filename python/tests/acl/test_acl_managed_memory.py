# SPDX-License-Identifier: Apache-2.0
"""acl.rt: managed memory, and hints about caches and access."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from typing import TYPE_CHECKING

import acl
import pytest

if TYPE_CHECKING:
    from tests.acl.conftest import Allocate

PAGE = 2 << 20
ON_DEVICE = {"type": 1, "id": 0}
ON_HOST = {"type": 2, "id": 0}
READ_MOSTLY, PREFERRED, ACCESSED_BY, PREFERRED_TYPE, LAST_PREFETCH = 1, 2, 3, 4, 6


@pytest.fixture
def managed(device: int) -> Iterator[int]:
    pointer, ret = acl.rt.mem_alloc_managed(2 * PAGE, 1)
    assert ret == 0
    yield pointer
    assert acl.rt.free(pointer) == 0


def test_host_and_device_use_it(managed: int) -> None:
    assert managed % PAGE == 0
    assert acl.rt.memset(managed, 64, 7, 64) == 0
    assert ctypes.string_at(managed, 64) == b"\7" * 64
    attributes, ret = acl.rt.pointer_get_attributes(managed)
    assert (attributes["location"]["type"], attributes["pageSize"], ret) == (3, PAGE, 0)


def test_what_cannot_be_allocated(device: int) -> None:
    assert acl.rt.mem_alloc_managed(PAGE, 0) == (0, 100000)
    assert acl.rt.mem_alloc_managed(0, 1) == (0, 107000)


def test_advice(managed: int) -> None:
    assert acl.rt.mem_managed_get_attr(READ_MOSTLY, managed, PAGE) == (0, 0)
    assert acl.rt.mem_managed_advise(managed, PAGE, 0, ON_DEVICE) == 0
    assert acl.rt.mem_managed_get_attr(READ_MOSTLY, managed, PAGE, 4) == (1, 0)
    assert acl.rt.mem_managed_get_attr(PREFERRED, managed, PAGE) == (-2, 0)
    assert acl.rt.mem_managed_advise(managed, PAGE, 2, {"type": 1, "id": 1}) == 0
    assert acl.rt.mem_managed_advise(managed, PAGE, 4, ON_DEVICE) == 0
    assert acl.rt.mem_managed_get_attr(ACCESSED_BY, managed, PAGE, 12) == ([0, -2, -2], 0)
    values, ret = acl.rt.mem_managed_get_attrs(
        [READ_MOSTLY, ACCESSED_BY, PREFERRED, PREFERRED_TYPE], managed, PAGE, [4, 8, 4, 4]
    )
    assert (values, ret) == ([1, [0, -2], 1, 1], 0)


def test_advice_is_validated(managed: int) -> None:
    assert acl.rt.mem_managed_advise(managed, PAGE, 6, ON_DEVICE) == 107000
    assert acl.rt.mem_managed_advise(managed, PAGE, 2, {"type": 1, "id": 99}) == 107000
    assert acl.rt.mem_managed_get_attr(READ_MOSTLY, managed, PAGE, 3) == (0, 107000)
    assert acl.rt.mem_managed_get_attr(ACCESSED_BY, managed, PAGE, 6) == ([], 107000)
    assert acl.rt.mem_managed_get_attr(READ_MOSTLY, managed, 0) == (0, 100000)
    assert acl.rt.mem_managed_get_attrs([READ_MOSTLY, 9], managed, PAGE, [4, 4]) == ([0, 0], 107000)
    with pytest.raises(ValueError, match="attributes has 1 items, and data_sizes has 2"):
        acl.rt.mem_managed_get_attrs([READ_MOSTLY], managed, PAGE, [4, 4])
    with pytest.raises(TypeError, match='location has no key "id"'):
        acl.rt.mem_managed_advise(managed, PAGE, 0, {"type": 1})


def test_prefetching(managed: int, stream: int) -> None:
    assert acl.rt.mem_managed_prefetch_async(managed, 2 * PAGE, ON_DEVICE, 0, stream) == 0
    assert acl.rt.synchronize_stream(stream) == 0
    assert acl.rt.mem_managed_get_attr(LAST_PREFETCH, managed, 2 * PAGE) == (0, 0)
    ranges, sizes = [managed, managed + PAGE], [PAGE, PAGE]
    assert (
        acl.rt.mem_managed_prefetch_batch_async(ranges, sizes, [ON_DEVICE, ON_HOST], [0, 1], 0, stream) == 0
    )
    assert acl.rt.synchronize_stream(stream) == 0
    assert acl.rt.mem_managed_get_attr(LAST_PREFETCH, managed, PAGE) == (0, 0)
    assert acl.rt.mem_managed_get_attr(LAST_PREFETCH, managed + PAGE, PAGE) == (-1, 0)
    assert acl.rt.mem_managed_prefetch_async(managed, PAGE, ON_DEVICE, 1, stream) == 100000
    assert acl.rt.mem_managed_prefetch_batch_async([], [], [], [], 0, stream) == 100000
    assert acl.rt.mem_managed_prefetch_batch_async(ranges, sizes, [ON_HOST], [1], 0, stream) == 107000
    with pytest.raises(ValueError, match="ptrs has 2 items, and sizes has 1"):
        acl.rt.mem_managed_prefetch_batch_async(ranges, [PAGE], [ON_HOST], [0], 0, stream)
    with pytest.raises(ValueError, match="locations has 1 items, and location_indexes has 0"):
        acl.rt.mem_managed_prefetch_batch_async(ranges, sizes, [ON_HOST], [], 0, stream)


def test_cache_operations(stream: int, device_memory: Allocate) -> None:
    pointer, desc = device_memory(4096), device_memory(64)
    for kind in range(4):
        assert acl.rt.cmo_async(pointer, 4096, kind, stream) == 0
    assert acl.rt.cmo_async(pointer, 4096, 4, stream) == 207000
    size, ret = acl.rt.cmo_get_desc_size()
    assert (size, ret) == (32, 0)
    assert acl.rt.cmo_set_desc(desc, pointer, 4096) == 0
    assert acl.rt.cmo_set_desc(desc, pointer, 0) == 107000
    assert acl.rt.cmo_async_with_desc(desc, 0, stream) == 0
    assert acl.rt.cmo_async_with_desc(desc, 0, stream, 1) == 107000
    assert acl.rt.synchronize_stream(stream) == 0
    assert acl.rt.device_l2_cache_flush() == 0
    assert acl.rt.device_l2_cache_flush(1) == 100000


def test_mapping_for_a_peer(device_memory: Allocate) -> None:
    pointer = device_memory(4096)
    assert acl.rt.mem_p2p_map(pointer, 4096, 99, 0) == 107001
    assert acl.rt.mem_p2p_map(pointer, 4096, 1, 1) == 100000
