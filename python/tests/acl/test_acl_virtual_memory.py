# SPDX-License-Identifier: Apache-2.0
"""acl.rt: reserved addresses, physical memory, mappings, and questions about addresses."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import acl
import pytest

GRANULE = 2 << 20


def device_prop(device_id: int = 0, **changes: Any) -> dict[str, Any]:
    return {
        "handleType": 0,
        "allocationType": 0,
        "memAttr": 4,
        "location": {"id": device_id, "type": 1},
        "reserve": 0,
        **changes,
    }


@pytest.fixture
def reserved() -> Iterator[int]:
    """Addresses for four granules."""
    address, ret = acl.rt.reserve_mem_address(4 * GRANULE, 0, 0, 0)
    assert ret == 0
    assert address % GRANULE == 0
    yield address
    assert acl.rt.release_mem_address(address) == 0


@pytest.fixture
def handle() -> Iterator[int]:
    """One granule of physical memory of device 0."""
    handle, ret = acl.rt.malloc_physical(GRANULE, device_prop(), 0)
    assert ret == 0
    yield handle
    assert acl.rt.free_physical(handle) == 0


def write(address: int, data: bytes) -> None:
    assert acl.rt.memcpy(address, len(data), acl.util.bytes_to_ptr(data), len(data), 1) == 0


def read(address: int, size: int) -> bytes:
    data = bytes(size + 1)  # bytes of length 0 and 1 are shared objects
    assert acl.rt.memcpy(acl.util.bytes_to_ptr(data), size, address, size, 2) == 0
    return data[:size]


def test_granularity() -> None:
    for option in (0, 1):
        assert acl.rt.mem_get_allocation_granularity(device_prop(), option) == (GRANULE, 0)
    assert acl.rt.mem_get_allocation_granularity(device_prop(memAttr=10), 0) == (1 << 30, 0)
    assert acl.rt.mem_get_allocation_granularity(device_prop(), 2) == (0, 207000)
    assert acl.rt.mem_get_allocation_granularity(device_prop(99), 0) == (0, 107001)


def test_reserving() -> None:
    assert acl.rt.reserve_mem_address(0, 0, 0, 0) == (0, 100000)
    assert acl.rt.reserve_mem_address(512, 1, 0, 0) == (0, 107000)
    address, ret = acl.rt.reserve_mem_address(512, 0, 0, 1)
    assert ret == 0
    assert acl.rt.release_mem_address(address) == 0
    assert acl.rt.release_mem_address(address) == 107000
    assert acl.rt.reserve_mem_address(GRANULE, 0, address, 0) == (address, 0)
    assert acl.rt.release_mem_address(address) == 0
    with pytest.raises(TypeError):
        acl.rt.reserve_mem_address(512)  # type: ignore[call-arg]
    assert acl.rt.reserve_mem_address_no_uc_memory(1 << 30, 0, 0, 0) == (0, 207000)


def test_a_copy_crosses_mappings(device: int, reserved: int) -> None:
    handles = []
    for i in range(3):
        handle, ret = acl.rt.malloc_physical(GRANULE, device_prop())
        assert ret == 0
        handles.append(handle)
        assert acl.rt.map_mem(reserved + i * GRANULE, GRANULE, 0, handle) == 0
    data = bytes(range(256)) * 16
    write(reserved + GRANULE - 2048, data)
    assert read(reserved + GRANULE - 2048, len(data)) == data
    attributes, ret = acl.rt.pointer_get_attributes(reserved + GRANULE)
    assert (attributes["location"], ret) == ({"id": 0, "type": 1}, 0)
    # Memory keeps its bytes without a mapping, and shows them at any other address.
    assert acl.rt.unmap_mem(reserved + GRANULE) == 0
    assert acl.rt.memset(reserved + GRANULE, 16, 0, 16) == 107000
    assert acl.rt.map_mem(reserved + 3 * GRANULE, GRANULE, 0, handles[1], 0) == 0
    assert read(reserved + 3 * GRANULE, 2048) == data[2048:]
    for i in (0, 2, 3):
        assert acl.rt.unmap_mem(reserved + i * GRANULE) == 0
    for handle in handles:
        assert acl.rt.free_physical(handle) == 0
        assert acl.rt.free_physical(handle) == 107000


def test_a_mapping_keeps_the_memory(device: int, reserved: int) -> None:
    free_before, _, ret = acl.rt.get_mem_info(1)
    assert ret == 0
    handle, ret = acl.rt.malloc_physical(GRANULE, device_prop())
    assert ret == 0
    assert acl.rt.get_mem_info(1)[0] == free_before - GRANULE
    assert acl.rt.map_mem(reserved, GRANULE, 0, handle, 0) == 0
    assert acl.rt.free_physical(handle) == 0
    write(reserved, b"kept")
    assert acl.rt.mem_retain_allocation_handle(reserved) == (handle, 0)
    assert acl.rt.free_physical(handle) == 0
    assert read(reserved, 4) == b"kept"
    assert acl.rt.unmap_mem(reserved) == 0
    assert acl.rt.get_mem_info(1)[0] == free_before


def test_properties(handle: int) -> None:
    prop, ret = acl.rt.mem_get_allocation_properties_from_handle(handle)
    assert ret == 0
    assert prop == device_prop()
    prop, ret = acl.rt.mem_get_allocation_properties_from_handle(0)
    assert ret == 100000
    assert prop.keys() == device_prop().keys()


def test_properties_are_validated() -> None:
    assert acl.rt.malloc_physical(GRANULE + 1, device_prop()) == (0, 507899)
    assert acl.rt.malloc_physical(0, device_prop()) == (0, 100000)
    assert acl.rt.malloc_physical(GRANULE, device_prop(), 1) == (0, 100000)
    assert acl.rt.malloc_physical(GRANULE, device_prop(99)) == (0, 107001)
    assert acl.rt.malloc_physical(GRANULE, device_prop(reserve=1)) == (0, 107000)
    assert acl.rt.malloc_physical(GRANULE, device_prop(handleType=1)) == (0, 100000)
    assert acl.rt.malloc_physical(GRANULE, device_prop(allocationType=1)) == (0, 100000)
    prop = device_prop()
    del prop["reserve"]
    handle, ret = acl.rt.malloc_physical(GRANULE, prop)
    assert ret == 0
    assert acl.rt.free_physical(handle) == 0
    for key in ("handleType", "allocationType", "memAttr", "location"):
        prop = device_prop()
        del prop[key]
        with pytest.raises(TypeError, match=f'prop has no key "{key}"'):
            acl.rt.malloc_physical(GRANULE, prop)
    with pytest.raises(TypeError, match=r'prop\["location"\]\["id"\] must be an int'):
        acl.rt.malloc_physical(GRANULE, device_prop(location={"id": "0", "type": 1}))
    with pytest.raises(TypeError, match="prop must be a dict"):
        acl.rt.malloc_physical(GRANULE, [])  # type: ignore[arg-type]


def test_out_of_memory(device: int) -> None:
    _, total, ret = acl.rt.get_mem_info(1)
    assert ret == 0
    size = (total // GRANULE + 1) * GRANULE
    assert acl.rt.malloc_physical(size, device_prop()) == (0, 207001)


def test_access(device: int, reserved: int, handle: int) -> None:
    here, there = {"id": 0, "type": 1}, {"id": 1, "type": 1}
    assert acl.rt.map_mem(reserved, GRANULE, 0, handle, 0) == 0
    assert acl.rt.mem_get_access(reserved, here) == (3, 0)
    assert acl.rt.mem_get_access(reserved, there) == (0, 0)
    assert acl.rt.mem_set_access(reserved, GRANULE, [{"flags": 3, "location": there}]) == 0
    assert acl.rt.mem_get_access(reserved, there) == (3, 0)
    assert acl.rt.mem_set_access(reserved, GRANULE, []) == 107000
    assert acl.rt.mem_set_access(reserved, GRANULE, [{"flags": 1, "location": there}]) == 207000
    assert acl.rt.mem_set_access(reserved, 2 * GRANULE, [{"flags": 3, "location": there}]) == 507899
    with pytest.raises(TypeError, match=r"descs\[0\] has no key"):
        acl.rt.mem_set_access(reserved, GRANULE, [{"flags": 3}])
    with pytest.raises(TypeError):
        acl.rt.mem_get_access(reserved, {"id": 0})
    assert acl.rt.unmap_mem(reserved) == 0
    assert acl.rt.mem_map_no_access(reserved, GRANULE, 0, handle) == 0
    assert acl.rt.memset(reserved, 16, 0, 16) == 107000
    assert acl.rt.mem_set_access(reserved, GRANULE, [{"flags": 3, "location": here, "rsv": [0]}]) == 0
    assert acl.rt.memset(reserved, 16, 0, 16) == 0
    assert acl.rt.unmap_mem(reserved) == 0


def test_links_exist_on_other_products(reserved: int, handle: int) -> None:
    assert acl.rt.mem_map_set_link(handle, 0) == 207000
    assert acl.rt.mem_map_set_link(handle, 4) == 107000
    assert acl.rt.mem_map_selected_link(reserved, GRANULE, reserved, 0) == 207000


def test_questions_about_addresses(device: int, reserved: int, handle: int) -> None:
    pointer, ret = acl.rt.malloc(1000, 0)
    assert ret == 0
    base, size, ret = acl.rt.mem_get_address_range(pointer + 10)
    assert (base, ret) == (pointer, 0)
    assert size >= 1000
    assert acl.rt.map_mem(reserved, GRANULE, 0, handle) == 0
    assert acl.rt.mem_get_address_range(reserved + 5) == (reserved, GRANULE, 0)
    assert acl.rt.mem_get_address_range(reserved + GRANULE) == (0, 0, 107000)
    assert acl.rt.check_mem_type([pointer], 2) == (1, 0)
    assert acl.rt.check_mem_type([pointer, reserved], 2) == (0, 0)
    assert acl.rt.check_mem_type([pointer, reserved], 2 | 16) == (1, 0)
    assert acl.rt.check_mem_type([pointer], 2, 1) == (0, 107000)
    assert acl.rt.check_mem_type([], 2) == (0, 107000)
    with pytest.raises(TypeError, match="addresses must be a list"):
        acl.rt.check_mem_type(pointer, 2)  # type: ignore[arg-type]
    assert acl.rt.unmap_mem(reserved) == 0
    assert acl.rt.free(pointer) == 0
