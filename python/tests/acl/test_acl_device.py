# SPDX-License-Identifier: Apache-2.0
"""acl.rt: devices and contexts."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

import acl

if TYPE_CHECKING:
    from tests.acl.conftest import RunPython


def test_set_and_reset() -> None:
    assert acl.rt.set_device(0) == 0
    assert acl.rt.set_device(0) == 0
    assert acl.rt.get_device() == (0, 0)
    assert acl.rt.reset_device(0) == 0
    assert acl.rt.reset_device_force(0) == 0
    assert acl.rt.set_device(99) == 107001
    assert acl.rt.set_device(-1) == 107001


def test_probe_before_init(run_python: RunPython) -> None:
    run_python(
        """
import acl
device, ret = acl.rt.get_device()
assert (device, ret) == (0, 107002), (device, ret)
assert acl.rt.get_device(0)[1] == 107002
assert acl.init() == 0
assert acl.rt.set_device(0) == 0
assert acl.rt.get_device(0) == (0, 0)
"""
    )


def test_device_is_of_the_thread(device: int) -> None:
    seen: list[tuple[int, int]] = []

    def look() -> None:
        seen.append(acl.rt.get_device())
        seen.append(acl.rt.malloc(64, 0))
        acl.rt.set_device(1)
        seen.append(acl.rt.get_device())
        acl.rt.reset_device(1)

    thread = threading.Thread(target=look)
    thread.start()
    thread.join()
    assert seen == [(0, 107002), (0, 107002), (1, 0)]
    assert acl.rt.get_device() == (0, 0)


def test_counts_and_modes(device: int) -> None:
    assert acl.rt.get_device_count() == (2, 0)
    assert acl.rt.get_run_mode() == (1, 0)
    assert acl.rt.set_ts_device(0) == 0
    assert acl.rt.set_ts_device(99) != 0
    assert acl.rt.synchronize_device() == 0
    assert acl.rt.synchronize_device_with_timeout(-1) == 0
    assert acl.rt.synchronize_device_with_timeout(1000) == 0
    assert acl.rt.set_op_execute_time_out(10) == 0


def test_device_timeout(closed: object, device: int) -> None:
    assert acl.rt.synchronize_device_with_timeout(1) == 507046


def test_utilization(device: int) -> None:
    rates, ret = acl.rt.get_device_utilization_rate(0)
    assert ret == 0
    assert list(rates) == [
        "cube_utilization",
        "vector_utilization",
        "aicpu_utilization",
        "memory_utilization",
        "utilization_extend",
    ]
    assert all(isinstance(rate, int) for rate in rates.values())
    _, ret = acl.rt.get_device_utilization_rate(99)
    assert ret == 107001


def test_queries(device: int) -> None:
    assert acl.rt.query_device_status(0)[1] == 0
    memory, ret = acl.rt.get_device_info(0, 0x12D)
    assert ret == 0
    assert memory > 0
    assert acl.rt.get_device_info(0, 10**6)[1] != 0
    value, ret = acl.rt.get_device_capability(0, 1)
    assert ret == 0
    assert value in (0, 1)
    least, greatest, ret = acl.rt.device_get_stream_priority_range()
    assert (ret, least >= greatest) == (0, True)
    assert acl.rt.get_devices_topo(0, 1)[1] == 0
    pid, ret = acl.rt.device_get_bare_tgid()
    assert ret == 0
    assert pid > 0


def test_uuid(device: int) -> None:
    first, ret = acl.rt.device_get_uuid(0)
    assert ret == 0
    assert isinstance(first["bytes"], str)
    assert len(first["bytes"]) == 16
    second, ret = acl.rt.device_get_uuid(1)
    assert ret == 0
    assert first != second
    assert acl.rt.device_get_uuid(99)[1] == 107001


def test_device_numbers(run_python: RunPython) -> None:
    run_python(
        """
import acl
assert acl.rt.get_device_count() == (1, 0)
assert acl.rt.get_logic_dev_id_by_user_dev_id(0) == (1, 0)
assert acl.rt.get_user_dev_id_by_logic_dev_id(1) == (0, 0)
assert acl.rt.get_user_dev_id_by_logic_dev_id(99)[1] != 0
""",
        ASCEND_RT_VISIBLE_DEVICES="1",
    )


def test_saturation_mode(device: int) -> None:
    before, ret = acl.rt.get_device_sat_mode()
    assert ret == 0
    assert acl.rt.set_device_sat_mode(before) == 0
    assert acl.rt.set_device_sat_mode(99) != 0


def test_peer_access(device: int) -> None:
    assert acl.rt.device_can_access_peer(0, 1) == (1, 0)
    assert acl.rt.device_can_access_peer(0, 0)[1] != 0
    assert acl.rt.device_peer_access_status(0, 1) == (0, 0)
    assert acl.rt.device_enable_peer_access(1, 0) == 0
    assert acl.rt.device_peer_access_status(0, 1) == (1, 0)
    assert acl.rt.device_peer_access_status(1, 0) == (0, 0)
    assert acl.rt.device_disable_peer_access(1) == 0
    assert acl.rt.device_peer_access_status(0, 1) == (0, 0)


def test_context(device: int) -> None:
    default, ret = acl.rt.get_context()
    assert ret == 0
    context, ret = acl.rt.create_context(1)
    assert ret == 0
    assert acl.rt.get_context() == (context, 0)
    assert acl.rt.get_device() == (1, 0)
    stream, ret = acl.rt.ctx_get_current_default_stream()
    assert ret == 0
    assert stream != 0
    assert acl.rt.set_context(default) == 0
    assert acl.rt.get_context() == (default, 0)
    assert acl.rt.destroy_context(context) == 0
    assert acl.rt.set_context(context) != 0
    assert acl.rt.destroy_context(default) != 0
    assert acl.rt.create_context(99) == (0, 107001)


def test_primary_context_state(run_python: RunPython) -> None:
    run_python(
        """
import acl
assert acl.rt.get_primary_ctx_state(0) == (0, 0, 0)
assert acl.rt.set_device(0) == 0
active, flags, ret = acl.rt.get_primary_ctx_state(0)
assert (active, flags, ret) == (1, 0, 0)
assert acl.rt.get_primary_ctx_state(99)[2] == 107001
"""
    )
