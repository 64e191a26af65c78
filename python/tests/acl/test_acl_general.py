# SPDX-License-Identifier: Apache-2.0
"""acl: initialisation, versions, error texts, the log, numbers."""

from __future__ import annotations

import math
import os
from pathlib import Path
from typing import TYPE_CHECKING

import acl
import pytest

if TYPE_CHECKING:
    from tests.acl.conftest import RunPython


def test_life_of_the_library(run_python: RunPython, tmp_path: Path) -> None:
    run_python(
        """
import acl, sys
assert acl.init() == 0
assert acl.init() == 100002
assert acl.init(None) == 100002
assert acl.init("") == 100002
assert acl.finalize_reference() == (3, 0)
assert acl.finalize_reference() == (2, 0)
assert acl.finalize() == 0
assert acl.finalize() == 100037
assert acl.finalize_reference() == (0, 100037)
assert acl.init() == 0
assert acl.finalize("stray") == 0
"""
    )


def test_configuration_file(run_python: RunPython, tmp_path: Path) -> None:
    shared = tmp_path / "shared.json"
    shared.write_text('{"err_msg_mode": "1"}')
    broken = tmp_path / "broken.json"
    broken.write_text("{")
    run_python(
        """
import acl, sys, threading
shared, broken, missing = sys.argv[1:]
assert acl.init(missing) == 100003
assert acl.init(broken) == 100006
assert acl.init(shared) == 0
acl.get_recent_err_msg()
thread = threading.Thread(target=acl.rt.set_device, args=(99,))
thread.start()
thread.join()
assert "aclrtSetDevice" in acl.get_recent_err_msg(), "the text is shared by all threads"
""",
        str(shared),
        str(broken),
        str(tmp_path / "missing.json"),
    )


def test_wrong_variable_is_told(run_python: RunPython) -> None:
    run_python(
        """
import acl
assert acl.init() == 100000
assert "FERRY_SOC" in acl.get_recent_err_msg()
assert acl.get_soc_name() is None
""",
        FERRY_SOC="nothing",
    )


def test_use_without_and_after_init(run_python: RunPython) -> None:
    run_python(
        """
import acl
assert acl.rt.set_device(0) == 0
assert acl.init() == 0
assert acl.finalize() == 0
pointer, ret = acl.rt.malloc(64, 0)
assert pointer != 0 and ret == 0
assert acl.rt.free(pointer) == 0
"""
    )


def test_versions() -> None:
    assert acl.get_version() == (1, 17, 0, 0)
    assert acl.get_version("stray") == (1, 17, 0, 0)
    text, ret = acl.get_version_str("runtime")
    assert ret == 0
    assert text.count(".") == 2
    assert acl.get_version_str("nothing") == ("", 100003)


def test_cann_version() -> None:
    version, ret = acl.get_cann_version(0)
    assert ret == 0
    assert list(version) == [
        "version",
        "majorVersion",
        "minorVersion",
        "releaseVersion",
        "patchVersion",
        "reserved",
    ]
    assert all(isinstance(part, str) for part in version.values())
    assert version["version"].startswith(version["majorVersion"] + "." + version["minorVersion"])
    missing, ret = acl.get_cann_version(99)
    assert ret == 100003
    assert missing.keys() == version.keys()


def test_cann_attributes() -> None:
    attributes, ret = acl.get_cann_attribute_list()
    assert ret == 0
    assert attributes
    for attribute in attributes:
        value, ret = acl.get_cann_attribute(attribute)
        assert ret == 0
        assert value in (0, 1)
    assert acl.get_cann_attribute(99) == (0, 100000)


def test_soc_name() -> None:
    name = acl.get_soc_name()
    assert name is not None
    assert name.startswith("Ascend")


def test_error_text_is_taken_once() -> None:
    acl.get_recent_err_msg()
    assert acl.get_recent_err_msg() == ""
    assert acl.rt.set_device(99) == 107001
    message = acl.get_recent_err_msg()
    assert "aclrtSetDevice" in message
    assert "99" in message
    assert acl.get_recent_err_msg() == ""


def test_app_log(run_python: RunPython, tmp_path: Path) -> None:
    log = tmp_path / "log"
    run_python(
        """
import acl
def load_model():
    assert acl.app_log(3, "100% of blöcks %s") is None
    acl.app_log(0, "fine")
load_model()
""",
        FERRY_LOG=f"debug:{log}",
    )
    text = log.read_text()
    assert "100% of blöcks %s" in text
    assert "load_model" in text
    assert "fine" in text


def test_data_type_size() -> None:
    assert acl.data_type_size(0) == 4
    assert acl.data_type_size(1) == 2
    assert acl.data_type_size(11) == 8
    assert acl.data_type_size(-1) == 0
    assert acl.data_type_size(10**6) == 0


def test_float16() -> None:
    assert acl.float_to_float16(1.0) == 0x3C00
    assert acl.float_to_float16(-2) == 0xC000
    assert acl.float16_to_float(0x3C00) == 1.0
    assert math.isinf(acl.float16_to_float(0x7C00))
    assert math.isnan(acl.float16_to_float(acl.float_to_float16(math.nan)))
    assert acl.float_to_float16(1e300) == 0x7C00
    with pytest.raises(TypeError):
        acl.float16_to_float(1 << 16)
    with pytest.raises(TypeError):
        acl.float_to_float16("1.0")  # type: ignore[arg-type]


def test_data_buffer() -> None:
    buffer = acl.create_data_buffer(0x1000, 5 << 30)
    assert buffer != 0
    assert acl.get_data_buffer_addr(buffer) == 0x1000
    assert acl.get_data_buffer_size_v2(buffer) == 5 << 30
    assert acl.get_data_buffer_size(buffer) == (5 << 30) % (1 << 32)
    assert acl.update_data_buffer(buffer, 0x2000, 64) == 0
    assert acl.get_data_buffer_addr(buffer) == 0x2000
    assert acl.get_data_buffer_size(buffer) == 64
    assert acl.destroy_data_buffer(buffer) == 0
    assert acl.destroy_data_buffer(buffer) != 0
    assert acl.get_data_buffer_addr(buffer) == 0
    assert acl.destroy_data_buffer(0) == 100000


def test_empty_data_buffer() -> None:
    buffer = acl.create_data_buffer(0, 0)
    assert buffer != 0
    assert acl.get_data_buffer_size_v2(buffer) == 0
    assert acl.destroy_data_buffer(buffer) == 0


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_fork_after_use_is_told(run_python: RunPython) -> None:
    run_python(
        """
import acl, os
assert acl.rt.set_device(0) == 0
child = os.fork()
if child == 0:
    _, ret = acl.rt.malloc(64, 0)
    os._exit(0 if ret == 507000 else 1)
assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
child = os.fork()
if child == 0:
    ok = acl.rt.set_device(0) == 507000 and "fork" in acl.get_recent_err_msg()
    os._exit(0 if ok else 1)
assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
"""
    )
