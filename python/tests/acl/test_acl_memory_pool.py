# SPDX-License-Identifier: Apache-2.0
"""acl.rt: memory pools, and allocators of the program."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from typing import Any

import acl
import pytest

GRANULE = 2 << 20


def pool_props(**changes: Any) -> dict[str, Any]:
    return {"allocType": 0, "handleType": 0, "location": {"id": 0, "type": 1}, "maxSize": 0, **changes}


@pytest.fixture
def pool(device: int) -> Iterator[int]:
    handle, ret = acl.rt.mem_pool_create(pool_props(maxSize=4 * GRANULE))
    assert ret == 0
    yield handle
    assert acl.rt.mem_pool_destroy(handle) == 0


def test_allocating(pool: int, stream: int) -> None:
    pointer, ret = acl.rt.mem_pool_malloc_async(100, pool, stream)
    assert ret == 0
    assert pointer % GRANULE == 0
    assert acl.rt.memset_async(pointer, 100, 7, 100, stream) == 0
    assert acl.rt.mem_pool_get_attr(pool, 7) == (GRANULE, 0)
    assert acl.rt.mem_pool_free_async(pointer, stream) == 0
    assert acl.rt.mem_pool_malloc_async(100, pool, stream) == (pointer, 0)
    assert acl.rt.mem_pool_free_async(pointer, stream) == 0
    assert acl.rt.mem_pool_free_async(pointer, stream) == 107000
    assert acl.rt.mem_pool_malloc_async(5 * GRANULE, pool, stream) == (0, 507000)
    assert acl.rt.mem_pool_malloc_async(100, 0, stream) == (0, 100000)
    assert acl.rt.synchronize_stream(stream) == 0


def test_attributes(pool: int, stream: int) -> None:
    for attribute in range(1, 9):
        assert acl.rt.mem_pool_get_attr(pool, attribute) == (0, 0)
    for attribute in (1, 2, 3):
        for value, expected in ((1, 1), (0, 0), (1 << 32, 1)):
            assert acl.rt.mem_pool_set_attr(pool, attribute, value) == 0
            assert acl.rt.mem_pool_get_attr(pool, attribute) == (expected, 0)
    assert acl.rt.mem_pool_set_attr(pool, 4, 2 * GRANULE) == 0
    assert acl.rt.mem_pool_get_attr(pool, 4) == (2 * GRANULE, 0)
    assert acl.rt.mem_pool_set_attr(pool, 5, 0) == 107000
    assert acl.rt.mem_pool_set_attr(pool, 99, 0) == 507000
    assert acl.rt.mem_pool_get_attr(pool, 99) == (0, 507000)
    pointer, ret = acl.rt.mem_pool_malloc_async(GRANULE, pool, stream)
    assert ret == 0
    assert acl.rt.mem_pool_free_async(pointer, stream) == 0
    assert acl.rt.synchronize_stream(stream) == 0
    assert acl.rt.mem_pool_get_attr(pool, 5) == (GRANULE, 0)  # below the threshold: it stays
    assert acl.rt.mem_pool_trim_to(pool, 0) == 0
    assert acl.rt.mem_pool_get_attr(pool, 5) == (0, 0)
    assert acl.rt.mem_pool_get_attr(pool, 6) == (GRANULE, 0)


def test_properties_are_validated(device: int) -> None:
    assert acl.rt.mem_pool_create(pool_props(allocType=1)) == (0, 100000)
    assert acl.rt.mem_pool_create(pool_props(location={"id": 0, "type": 0})) == (0, 100000)
    assert acl.rt.mem_pool_create(pool_props(location={"id": 99, "type": 1})) == (0, 107001)
    assert acl.rt.mem_pool_create(pool_props(reserved=[0, 1])) == (0, 100000)
    assert acl.rt.mem_pool_create(pool_props(handleType=1)) == (0, 107000)
    for key in pool_props():
        props = pool_props()
        del props[key]
        with pytest.raises(TypeError, match=f'props has no key "{key}"'):
            acl.rt.mem_pool_create(props)


def test_allocators(stream: int) -> None:
    Allocate = ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.c_void_p, ctypes.c_size_t)
    function = Allocate(lambda allocator, size: None)
    address = ctypes.cast(function, ctypes.c_void_p).value
    assert address
    desc = acl.rt.allocator_create_desc()
    assert desc != 0
    assert acl.rt.allocator_register(stream, desc) == 100000
    assert acl.rt.allocator_set_obj_to_desc(desc, 0x1000) == 0
    assert acl.rt.allocator_set_alloc_func_to_desc(desc, address) == 0
    assert acl.rt.allocator_set_free_func_to_desc(desc, address + 1) == 0
    assert acl.rt.allocator_set_get_addr_from_block_func_to_desc(desc, address + 2) == 0
    assert acl.rt.allocator_set_alloc_func_to_desc(desc, 0) == 100000
    assert acl.rt.allocator_register(stream, desc) == 0
    assert acl.rt.allocator_get_by_stream(stream) == (desc, 0x1000, address, address + 1, 0, address + 2, 0)
    assert acl.rt.allocator_set_alloc_advise_func_to_desc(desc, address + 3) == 0
    assert acl.rt.allocator_register(stream, desc) == 0
    assert acl.rt.allocator_get_by_stream(stream)[4:] == (address + 3, address + 2, 0)
    assert acl.rt.allocator_destroy_desc(desc) == 0
    assert acl.rt.allocator_destroy_desc(desc) == 100000
    assert acl.rt.allocator_unregister(stream) == 0
    assert acl.rt.allocator_get_by_stream(stream) == (0, 0, 0, 0, 0, 0, 100000)
