# SPDX-License-Identifier: Apache-2.0
"""Exceptions, the enumerations against the public headers, and failures on purpose."""

from __future__ import annotations

import copy
import enum
import pickle
import re
from pathlib import Path
from typing import TYPE_CHECKING

import acl
import pytest

import ferry
from ferry import constants, errors

if TYPE_CHECKING:
    from .conftest import RunPython

INCLUDE = Path(__file__).resolve().parents[3] / "include" / "acl"


@pytest.mark.parametrize(
    ("code", "kind", "builtin"),
    [
        (100000, ferry.InvalidArgumentError, ValueError),
        (107000, ferry.InvalidArgumentError, ValueError),
        (107001, ferry.InvalidDeviceError, ValueError),
        (107002, ferry.NoContextError, ferry.AclError),
        (107003, ferry.WrongContextError, ferry.AclError),
        (107017, ferry.InvalidHandleError, ferry.AclError),
        (107023, ferry.StreamAbortedError, ferry.AclError),
        (207000, ferry.NotSupportedError, NotImplementedError),
        (207001, ferry.OutOfMemoryError, MemoryError),
        (207008, ferry.OutOfResourcesError, ferry.AclError),
        (507001, ferry.TaskFailedError, ferry.AclError),
        (507033, ferry.SetupError, ferry.AclError),
        (507046, ferry.AclTimeoutError, TimeoutError),
        (507047, ferry.AclTimeoutError, TimeoutError),
        (123456, ferry.AclError, Exception),
    ],
)
def test_classes(code: int, kind: type[ferry.AclError], builtin: type[BaseException]) -> None:
    error = errors.from_code(code, "aclrtFree", "aclrtFree: some text (EE1003)", 3)
    assert type(error) is kind
    assert isinstance(error, builtin)
    assert (error.code, error.function, error.index) == (code, "aclrtFree", 3)
    assert error.message == "aclrtFree: some text (EE1003)"
    text = str(error)
    assert text.startswith(f"[{code} {error.name}] aclrtFree: some text (EE1003); item 3")
    for twin in (pickle.loads(pickle.dumps(error)), copy.copy(error)):
        assert type(twin) is kind
        assert (str(twin), twin.args) == (text, error.args)


def test_texts_without_a_message() -> None:
    assert str(ferry.AclError(123456, "aclrtFree")) == "[123456 UNKNOWN] aclrtFree failed"
    assert str(ferry.AclError(500000)) == "[500000 INTERNAL_ERROR]"


def test_check() -> None:
    ferry.check(0)
    with pytest.raises(ferry.InvalidArgumentError, match="aclrtFree: devPtr") as caught:
        ferry.check(acl.rt.free(0), "aclrtFree")
    assert caught.value.function == "aclrtFree"
    assert acl.get_recent_err_msg() == ""


def fields_of(error: ferry.AclError) -> tuple[str, ...]:
    return (error.message_code, error.function, error.argument, error.value, error.allowed)


def test_fields_of_a_refused_argument() -> None:
    with pytest.raises(ferry.InvalidDeviceError) as caught:
        ferry.Device(99).activate()
    count = acl.rt.get_device_count()[0]
    assert fields_of(caught.value) == ("EE1003", "aclrtSetDevice", "deviceId", "99", f"0 to {count - 1}")
    assert caught.value.text == caught.value.message
    assert caught.value.text.startswith("aclrtSetDevice: deviceId is 99, allowed is 0 to ")
    for twin in (pickle.loads(pickle.dumps(caught.value)), copy.copy(caught.value)):
        assert fields_of(twin) == fields_of(caught.value)


def test_check_knows_the_function() -> None:
    with pytest.raises(ferry.AclError) as caught:
        ferry.check(acl.rt.free(0))
    assert fields_of(caught.value) == ("EH0008", "aclrtFree", "devPtr", "NULL", "")


def test_fields_of_an_error_without_argument() -> None:
    with ferry.Device(0), ferry.failing("aclrtMalloc", 207001), pytest.raises(MemoryError) as caught:
        ferry.Buffer(64)
    assert isinstance(caught.value, ferry.AclError)
    assert fields_of(caught.value) == ("EE1001", "aclrtMalloc", "", "", "")


def test_fields_of_an_item_of_a_batch() -> None:
    with ferry.Device(0), ferry.Buffer(16) as buffer, ferry.Buffer(16) as other:
        host = ferry.pinned_empty(16, "uint8")
        with pytest.raises(ferry.InvalidArgumentError) as caught:
            ferry.copy_batch([(buffer, host), (other, buffer)])
    assert caught.value.index == 1
    assert caught.value.argument == "srcs[1]"
    assert caught.value.message_code == "EE1016"


def test_an_error_that_is_made_by_hand_has_empty_fields() -> None:
    error = ferry.AclError(107000, "aclrtFree", "some text")
    assert fields_of(error) == ("", "aclrtFree", "", "", "")
    assert error.text == "some text"


def test_an_old_error_is_not_taken_for_the_new_one() -> None:
    assert acl.rt.free(0) != 0
    acl.get_recent_err_msg()
    with pytest.raises(ferry.InvalidArgumentError) as caught:
        ferry.check(100000, "aclrtFree")
    assert fields_of(caught.value) == ("", "aclrtFree", "", "", "")


def test_a_wrong_variable_is_named(run_python: RunPython) -> None:
    run = run_python("import ferry; ferry.Device(0).activate()", FERRY_THREADS="many")
    assert run.returncode == 1
    assert "SetupError" in run.stderr
    assert "FERRY_THREADS" in run.stderr
    assert "python -m ferry env" in run.stderr


def test_fields_of_a_wrong_variable(run_python: RunPython) -> None:
    program = """
import ferry
try:
    ferry.Device(0).activate()
except ferry.SetupError as error:
    print(error.argument, error.value, error.allowed, sep="|")
"""
    run = run_python(program, FERRY_THREADS="many")
    assert run.stdout == "FERRY_THREADS|many|1 to 256\n"


def test_codes_are_those_of_the_headers() -> None:
    text = "".join((INCLUDE / name).read_text() for name in ("acl_base_rt.h", "error_codes/rt_error_codes.h"))
    known = dict(re.findall(r"(?:int|define) ACL_ERROR_(\w+)(?: =)? (\d+)", text))
    for code in ferry.ErrorCode:
        if code is not ferry.ErrorCode.SUCCESS:
            assert known[code.name] == str(code.value), code


def header_values() -> dict[str, int]:
    text = "".join(path.read_text() for path in [*INCLUDE.glob("*.h"), *INCLUDE.glob("rt/*.h")])
    pairs = re.findall(r"\b(ACL_\w+)(?: =)? (0x[0-9A-Fa-f]+|\d+)(?:U|UL)?\b", text)
    return {name: int(value, 0) for name, value in pairs}


@pytest.mark.parametrize(
    ("kind", "prefix"),
    [
        (constants.MemcpyKind, "ACL_MEMCPY_"),
        (constants.MemLocation, "ACL_MEM_LOCATION_TYPE_"),
        (constants.HostRegisterFlag, "ACL_HOST_REG_"),
        (constants.HostRegisterType, "ACL_HOST_REGISTER_"),
        (constants.StreamFlag, "ACL_STREAM_"),
        (constants.StreamStatus, "ACL_STREAM_STATUS_"),
        (constants.StreamAttr, "ACL_STREAM_ATTR_"),
        (constants.FailureMode, "ACL_{}_ON_FAILURE"),
        (constants.EventFlag, "ACL_EVENT_"),
        (constants.EventStatus, "ACL_EVENT_STATUS_"),
        (constants.EventRecordedStatus, "ACL_EVENT_RECORDED_STATUS_"),
        (constants.CallbackBlockType, "ACL_CALLBACK_"),
        (constants.RunMode, "ACL_"),
        (constants.MallocPolicy, "ACL_MEM_MALLOC_"),
        (constants.MemAttr, "ACL_{}_MEM"),
    ],
)
def test_enumerations_are_those_of_the_headers(kind: type[enum.IntEnum], prefix: str) -> None:
    known = header_values()
    names = {
        "ACL_STREAM_NONE": 0,
        "ACL_MEM_MALLOC_TYPE_LOW_BAND_WIDTH": known["ACL_MEM_TYPE_LOW_BAND_WIDTH"],
        "ACL_MEM_MALLOC_TYPE_HIGH_BAND_WIDTH": known["ACL_MEM_TYPE_HIGH_BAND_WIDTH"],
        "ACL_MEM_MALLOC_ACCESS_USER_SPACE_READONLY": known["ACL_MEM_ACCESS_USER_SPACE_READONLY"],
    }
    if kind is constants.MemAttr:
        base = {
            name: known[f"ACL_{name.replace('_', '_MEM_', 1) if '_' in name else name + '_MEM'}"]
            for name in kind.__members__
        }
        assert base == {name: member.value for name, member in kind.__members__.items()}
        return
    for name, member in kind.__members__.items():
        full = prefix.format(name) if "{}" in prefix else prefix + name
        assert {**known, **names}[full] == member.value, full


def test_failures_on_purpose() -> None:
    with ferry.Device(0):
        ferry.fail_call("aclrtMalloc", 207001, nth=2)
        ferry.Buffer(64).close()
        with pytest.raises(ferry.OutOfMemoryError):
            ferry.Buffer(64)
        ferry.Buffer(64).close()
        with ferry.failing("aclrtMalloc", 507899):
            for _ in range(3):
                with pytest.raises(ferry.AclError) as caught:
                    ferry.Buffer(64)
                assert caught.value.code == 507899
        ferry.Buffer(64).close()
    with pytest.raises(ferry.InvalidArgumentError):
        ferry.fail_call("noSuchFunction", 1)
    with pytest.raises(ferry.InvalidArgumentError):
        ferry.fail_call("aclrtMalloc", 0)


@pytest.mark.parametrize("function", ["aclrtRecordEvent", "aclrtMemcpyAsync", "aclrtCreateEventExWithFlag"])
def test_a_copy_that_cannot_be_queued_leaves_nothing_behind(function: str) -> None:
    data = ferry.Device(0)
    with data, ferry.Stream() as stream, ferry.Buffer(16) as buffer:
        source = ferry.pinned_empty(16, "uint8")
        before = ferry.stats().pinned_bytes
        with ferry.failing(function, 507899), pytest.raises(ferry.AclError):
            ferry.copy_async(buffer, source, stream=stream)
        assert len(stream._pending) == 0
        del source
        assert ferry.stats().pinned_bytes == before - 16


def test_a_destroy_that_fails_does_not_raise_in_a_finaliser() -> None:
    with ferry.Device(0):
        with ferry.failing("aclrtDestroyEvent", 507899):
            event = ferry.Event()
            del event
        with ferry.failing("aclrtFree", 507899):
            buffer = ferry.Buffer(16)
            del buffer
