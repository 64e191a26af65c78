# SPDX-License-Identifier: Apache-2.0
"""acl.rt: device and host memory, registration, attributes of addresses."""

from __future__ import annotations

import ctypes
import mmap
from typing import TYPE_CHECKING, Any

import acl
import pytest

if TYPE_CHECKING:
    from tests.acl.conftest import Allocate, RunPython

MODULE = {"attrs": [{"attr": 1, "value": {"moduleId": 33}}], "numAttrs": 1}


@pytest.mark.parametrize("name", ["malloc", "malloc_align32", "malloc_cached"])
def test_device_memory(device: int, name: str) -> None:
    allocate = getattr(acl.rt, name)
    pointer, ret = allocate(100, 0)
    assert ret == 0
    assert type(pointer) is int
    assert pointer % 64 == 0
    assert acl.rt.free(pointer) == 0
    assert acl.rt.free(pointer) == 107000
    assert "free" in acl.get_recent_err_msg()
    pointer, ret = allocate(0, 0)
    assert pointer == 0
    assert ret != 0
    with pytest.raises(TypeError):
        allocate(100)


def test_any_policy_is_taken(device: int) -> None:
    pointer, ret = acl.rt.malloc(64, 9999)
    assert ret == 0
    assert acl.rt.free(pointer) == 0


def test_out_of_memory(run_python: RunPython) -> None:
    run_python(
        """
import acl
assert acl.rt.set_device(0) == 0
pointer, ret = acl.rt.malloc(65 << 20, 0)
assert (pointer, ret) == (0, 207001), (pointer, ret)
assert acl.rt.malloc(2**64 - 1, 0)[1] != 0
assert acl.rt.malloc_host(2**64 - 1)[1] != 0
""",
        FERRY_MEMORY="64M",
    )


def test_flush_and_invalidate(device: int) -> None:
    pointer, ret = acl.rt.malloc_cached(4096, 0)
    assert ret == 0
    assert acl.rt.mem_flush(pointer, 4096) == 0
    assert acl.rt.mem_invalidate(pointer, 4096) == 0
    assert acl.rt.mem_flush(0, 4096) != 0
    assert acl.rt.free(pointer) == 0


@pytest.mark.parametrize("name", ["malloc_with_cfg", "malloc_for_task_scheduler"])
@pytest.mark.parametrize("cfg", [{}, {"attrs": [], "numAttrs": 0}, MODULE, {"attrs": MODULE["attrs"]}])
def test_with_cfg(device: int, name: str, cfg: dict[str, Any]) -> None:
    pointer, ret = getattr(acl.rt, name)(4096, 0, cfg)
    assert ret == 0
    assert acl.rt.free(pointer) == 0


def test_host_with_cfg(device: int) -> None:
    for cfg in ({}, MODULE):
        pointer, ret = acl.rt.malloc_host_with_cfg(4096, cfg)
        assert ret == 0
        assert acl.rt.free_host(pointer) == 0


def test_cfg_reaches_the_library(device: int) -> None:
    wrong_device = {"attrs": [{"attr": 2, "value": {"deviceId": 1}}], "numAttrs": 1}
    right_device = {"attrs": [{"attr": 2, "value": {"deviceId": 0}}], "numAttrs": 1}
    reserved = {"attrs": [{"attr": 0, "value": {"rsv": [0] * 8}}], "numAttrs": 1}
    pointer, ret = acl.rt.malloc_with_cfg(64, 0, right_device)
    assert ret == 0
    assert acl.rt.free(pointer) == 0
    assert acl.rt.malloc_with_cfg(64, 0, wrong_device)[1] != 0
    assert isinstance(acl.rt.malloc_with_cfg(64, 0, reserved)[1], int)
    assert acl.rt.malloc_host_with_cfg(64, right_device) == (0, 107000)


@pytest.mark.parametrize(
    "cfg",
    [
        None,
        [],
        {"numAttrs": 1},
        {"attrs": 1},
        {"attrs": [1]},
        {"attrs": [{"attr": 1}]},
        {"attrs": [{"attr": 1, "value": {}}]},
        {"attrs": [{"attr": 1, "value": {"moduleId": 1 << 16}}]},
        {"attrs": [{"attr": "1", "value": {"moduleId": 1}}]},
        {"attrs": [], "numAttrs": -1},
    ],
)
def test_wrong_cfg(device: int, cfg: Any) -> None:
    with pytest.raises(TypeError):
        acl.rt.malloc_with_cfg(64, 0, cfg)


def test_cfg_that_says_more_than_it_has(device: int) -> None:
    assert acl.rt.malloc_with_cfg(64, 0, {"attrs": MODULE["attrs"], "numAttrs": 1000}) == (0, 100000)


def test_host_memory(device: int) -> None:
    pointer, ret = acl.rt.malloc_host(100)
    assert ret == 0
    assert pointer % 64 == 0
    ctypes.memset(pointer, 7, 100)
    assert ctypes.string_at(pointer, 100) == b"\7" * 100
    assert acl.rt.free_host(pointer) == 0
    assert acl.rt.free_host(pointer) == 107000
    assert acl.rt.malloc_host(0)[1] != 0


def test_registration(device: int) -> None:
    with mmap.mmap(-1, 8192) as memory:
        view = ctypes.c_char.from_buffer(memory)
        host = ctypes.addressof(view)
        address, ret = acl.rt.host_register(host, 8192, 0)
        assert ret == 0
        assert address not in (0, host)
        assert acl.rt.host_get_device_pointer(host, 0) == (address, 0)
        assert acl.rt.host_get_device_pointer(host + 5) == (address + 5, 0)
        assert acl.rt.host_register(host, 8192, 0)[1] != 0
        assert acl.rt.host_unregister(host) == 0
        assert acl.rt.host_unregister(host) != 0
        assert acl.rt.host_register_v2(host, 8192, 0x10000000) == 0
        assert acl.rt.host_unregister(host) == 0
        assert acl.rt.host_register_v2(host, 8192, 0) == 107000
        assert acl.rt.host_register(host + 1, 4096, 0) == (0, 107000)
        del view


def test_memory_info(device: int, device_memory: Allocate) -> None:
    free, total, ret = acl.rt.get_mem_info(1)
    assert ret == 0
    assert 0 < free <= total
    device_memory(4 << 20)
    less, same, ret = acl.rt.get_mem_info(1)
    assert ret == 0
    assert less <= free - (4 << 20)
    assert same == total
    assert acl.rt.get_mem_info(99)[2] != 0


def test_pointer_attributes(device_memory: Allocate, pinned_memory: Allocate) -> None:
    attributes, ret = acl.rt.pointer_get_attributes(device_memory(64))
    assert ret == 0
    assert list(attributes) == ["location", "pageSize", "page_size", "rsv"]
    assert attributes["location"] == {"id": 0, "type": 1}
    assert attributes["pageSize"] == attributes["page_size"] > 0
    assert attributes["rsv"] == [0, 0, 0, 0]
    attributes, ret = acl.rt.pointer_get_attributes(pinned_memory(64))
    assert ret == 0
    assert attributes["location"]["type"] == 0
    pageable = ctypes.create_string_buffer(64)
    attributes, ret = acl.rt.pointer_get_attributes(ctypes.addressof(pageable))
    assert ret == 0
    assert attributes["location"]["type"] == 2
    _, ret = acl.rt.pointer_get_attributes(0)
    assert ret == 100000
