# SPDX-License-Identifier: Apache-2.0
"""acl.rt: streams, events and notifies."""

from __future__ import annotations

from typing import Callable

import acl
import pytest

Open = Callable[[], None]


def test_create_and_destroy(device: int) -> None:
    stream, ret = acl.rt.create_stream()
    assert ret == 0
    assert stream != 0
    assert acl.rt.synchronize_stream(stream) == 0
    assert acl.rt.destroy_stream(stream) == 0
    assert acl.rt.destroy_stream(stream) != 0
    assert acl.rt.synchronize_stream(stream) != 0
    assert acl.rt.synchronize_stream(0) == 0


def test_create_with_config(device: int) -> None:
    stream, ret = acl.rt.create_stream_with_config(7, 1 | 2)
    assert ret == 0
    assert acl.rt.destroy_stream_force(stream) == 0
    assert acl.rt.create_stream_with_config(0, 0xFFFF) == (0, 107000)
    with pytest.raises(TypeError):
        acl.rt.create_stream_with_config(0)  # type: ignore[call-arg]


def test_no_stream_without_context() -> None:
    acl.rt.set_device(0)
    acl.rt.reset_device_force(0)
    assert acl.rt.create_stream() == (0, 107002)


def test_query_and_timeout(stream: int, closed: Open) -> None:
    assert acl.rt.stream_query(stream) == (1, 0)
    assert acl.rt.synchronize_stream_with_timeout(stream, 1) == 507046
    closed()
    assert acl.rt.synchronize_stream_with_timeout(stream, -1) == 0
    assert acl.rt.stream_query(stream) == (0, 0)


def test_abort(stream: int) -> None:
    assert acl.rt.stream_abort(stream) == 0
    assert acl.rt.synchronize_stream(stream) == 0


def test_numbers(stream: int) -> None:
    number, ret = acl.rt.stream_get_id(stream)
    assert ret == 0
    default, ret = acl.rt.stream_get_id(0)
    assert ret == 0
    assert number != default
    count, ret = acl.rt.get_stream_available_num()
    assert ret == 0
    assert count > 0


@pytest.mark.parametrize(
    ("attribute", "key", "value"),
    [(1, "failureMode", 1), (2, "overflowSwitch", 1), (3, "userCustomTag", 4711), (5, "streamPriority", 3)],
)
def test_attributes(stream: int, attribute: int, key: str, value: int) -> None:
    assert acl.rt.set_stream_attribute(stream, attribute, {key: value}) == 0
    assert acl.rt.get_stream_attribute(stream, attribute) == ({key: value}, 0)


def test_wrong_attributes(stream: int) -> None:
    assert acl.rt.set_stream_attribute(stream, 99, {}) == 107000
    assert acl.rt.get_stream_attribute(stream, 99) == ({}, 107000)
    assert acl.rt.get_stream_attribute(12345, 1) == ({"failureMode": 0}, 107017)
    with pytest.raises(TypeError, match="failureMode"):
        acl.rt.set_stream_attribute(stream, 1, {})
    with pytest.raises(TypeError, match="failureMode"):
        acl.rt.set_stream_attribute(stream, 1, {"failureMode": "1"})  # type: ignore[dict-item]
    with pytest.raises(TypeError):
        acl.rt.set_stream_attribute(stream, 1, 1)  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        acl.rt.set_stream_attribute(stream, 2, {"overflowSwitch": 1 << 32})


def test_failure_mode(stream: int) -> None:
    assert acl.rt.set_stream_failure_mode(stream, 1) == 0
    assert acl.rt.set_stream_failure_mode(stream, 0) == 207000
    assert acl.rt.set_stream_overflow_switch(stream, 1) == 0
    assert acl.rt.get_stream_overflow_switch(stream) == (1, 0)


def test_event(stream: int, closed: Open) -> None:
    event, ret = acl.rt.create_event()
    assert ret == 0
    assert acl.rt.record_event(event, stream) == 0
    assert acl.rt.query_event_status(event) == (0, 0)
    assert acl.rt.query_event(event) == (1, 0)
    assert acl.rt.synchronize_event_with_timeout(event, 1) == 507047
    closed()
    assert acl.rt.synchronize_event(event) == 0
    assert acl.rt.synchronize_event_with_timeout(event, -1) == 0
    assert acl.rt.query_event_status(event) == (1, 0)
    assert acl.rt.query_event(event) == (0, 0)
    assert acl.rt.destroy_event(event) == 0
    assert acl.rt.destroy_event(event) != 0


def test_event_on_default_stream(device: int) -> None:
    event, ret = acl.rt.create_event_ex_with_flag(8)
    assert ret == 0
    assert acl.rt.query_event_status(event) == (1, 0)
    for _ in range(2):
        assert acl.rt.record_event(event, 0) == 0
        assert acl.rt.synchronize_event(event) == 0
    assert acl.rt.reset_event(event, 0) != 0
    assert acl.rt.destroy_event(event) == 0
    assert acl.rt.create_event_with_flag(0xFFFF)[1] != 0


def test_order_between_streams(stream: int, closed: Open) -> None:
    other, ret = acl.rt.create_stream()
    assert ret == 0
    event, ret = acl.rt.create_event_with_flag(1)
    assert ret == 0
    assert acl.rt.record_event(event, stream) == 0
    assert acl.rt.stream_wait_event(other, event) == 0
    status, ret = acl.rt.query_event_wait_status(event)
    assert ret == 0
    assert status in (0, 1)
    assert acl.rt.reset_event(event, other) == 0
    assert acl.rt.stream_query(other) == (1, 0)
    # The two handles are distinguished by position: swapped, both are wrong.
    assert acl.rt.stream_wait_event(event, other) != 0
    assert acl.rt.record_event(stream, event) != 0
    closed()
    assert acl.rt.synchronize_stream(other) == 0
    assert acl.rt.query_event_wait_status(event) == (0, 0)
    assert acl.rt.destroy_event(event) == 0
    assert acl.rt.destroy_stream(other) == 0


def test_times(stream: int) -> None:
    start, ret = acl.rt.create_event_with_flag(8)
    assert ret == 0
    end, ret = acl.rt.create_event_with_flag(8)
    assert ret == 0
    assert acl.rt.record_event(start, stream) == 0
    assert acl.rt.record_event(end, stream) == 0
    assert acl.rt.synchronize_stream(stream) == 0
    milliseconds, ret = acl.rt.event_elapsed_time(start, end)
    assert ret == 0
    assert isinstance(milliseconds, float)
    assert milliseconds >= 0
    first, ret = acl.rt.event_get_timestamp(start)
    assert ret == 0
    second, ret = acl.rt.event_get_timestamp(end)
    assert ret == 0
    assert second >= first > 0
    assert acl.rt.get_event_id(start)[0] != acl.rt.get_event_id(end)[0]
    count, ret = acl.rt.get_event_avail_num()
    assert ret == 0
    assert count > 0
    assert acl.rt.destroy_event(start) == 0
    assert acl.rt.event_elapsed_time(start, end)[1] != 0
    assert acl.rt.destroy_event(end) == 0


def test_wait_timeout(device: int) -> None:
    assert acl.rt.set_op_wait_timeout(5) == 0
    assert acl.rt.set_op_wait_timeout(0) == 0


def test_notify(stream: int) -> None:
    notify, ret = acl.rt.create_notify(0)
    assert ret == 0
    other, ret = acl.rt.create_stream()
    assert ret == 0
    assert acl.rt.wait_and_reset_notify(notify, other, 0) == 0
    assert acl.rt.stream_query(other) == (1, 0)
    assert acl.rt.record_notify(notify, stream) == 0
    assert acl.rt.synchronize_stream(other) == 0
    number, ret = acl.rt.get_notify_id(notify)
    assert ret == 0
    assert isinstance(number, int)
    assert acl.rt.notify_batch_reset([notify]) == 0
    assert acl.rt.notify_batch_reset([]) == 100000
    assert acl.rt.destroy_stream(other) == 0
    assert acl.rt.destroy_notify(notify) == 0
    assert acl.rt.notify_batch_reset([notify]) != 0
    with pytest.raises(TypeError):
        acl.rt.create_notify()  # type: ignore[call-arg]
    with pytest.raises(TypeError, match="notifies"):
        acl.rt.notify_batch_reset([None])  # type: ignore[list-item]
    with pytest.raises(TypeError, match="notifies"):
        acl.rt.notify_batch_reset(notify)  # type: ignore[arg-type]
