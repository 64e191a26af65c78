# SPDX-License-Identifier: Apache-2.0
"""The surface of the module: names, arities, argument types, and stubs that agree with it."""

from __future__ import annotations

import ast
import enum
import importlib
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import acl
import acl.rt
import acl.util
import pytest

STUBS = Path(__file__).parents[2] / "stubs" / "acl"
MODULES = {"__init__": acl, "rt": acl.rt, "util": acl.util}

# pyACL functions whose C function does nothing here. They are absent, so that programs can test for them.
ABSENT = [
    "ctx_get_sys_param_opt",
    "ctx_set_sys_param_opt",
    "cmo_async_with_barrier",
    "cmo_wait_barrier",
    "device_get_limit",
    "device_set_limit",
    "device_task_abort",
    "get_device_res_limit",
    "get_overflow_status",
    "get_res_in_current_thread",
    "get_stream_res_limit",
    "get_sys_param_opt",
    "reduce_async",
    "reset_device_res_limit",
    "reset_overflow_status",
    "reset_stream_res_limit",
    "set_device_res_limit",
    "set_stream_res_limit",
    "set_sys_param_opt",
    "unuse_stream_res_in_current_thread",
    "use_stream_res_in_current_thread",
    "value_wait",
    "value_write",
    "launch_host_func",
    "stream_wait_event_with_timeout",
]


def stub_functions(file: str) -> dict[str, ast.FunctionDef]:
    nodes = ast.parse((STUBS / f"{file}.pyi").read_text()).body
    return {node.name: node for node in nodes if isinstance(node, ast.FunctionDef)}


def module_functions(module: ModuleType) -> dict[str, Any]:
    return {name: getattr(module, name) for name in dir(module) if callable(getattr(module, name))}


FUNCTIONS = [
    pytest.param(getattr(module, name), node, id=f"{module.__name__}.{name}")
    for file, module in MODULES.items()
    for name, node in stub_functions(file).items()
]


def test_submodules_are_modules() -> None:
    from acl.rt import memcpy
    from acl.util import bytes_to_ptr

    assert memcpy is acl.rt.memcpy
    assert bytes_to_ptr is acl.util.bytes_to_ptr
    assert sys.modules["acl.rt"] is acl.rt
    assert isinstance(acl.rt, ModuleType)
    assert "bytes_to_ptr" in dir(acl.util)


@pytest.mark.parametrize("name", ABSENT)
def test_absent_functions(name: str) -> None:
    assert not hasattr(acl.rt, name)
    assert name not in dir(acl.rt)
    with pytest.raises(AttributeError):
        getattr(acl.rt, name)


def test_nothing_else_is_there() -> None:
    assert {name for name in dir(acl) if not name.startswith("_")} == {
        *stub_functions("__init__"),
        "rt",
        "util",
    }
    with pytest.raises(ImportError):
        importlib.import_module("acl.mdl")


@pytest.mark.parametrize("file", MODULES)
def test_stubs_have_every_function(file: str) -> None:
    assert module_functions(MODULES[file]).keys() == stub_functions(file).keys()


@pytest.mark.parametrize(("function", "node"), FUNCTIONS)
def test_stubs_agree(function: Any, node: ast.FunctionDef) -> None:
    ((signature, text, *_),) = function.__nb_signature__
    real = ast.parse(signature + ": ...").body[0]
    assert isinstance(real, ast.FunctionDef)
    assert ast.unparse(real.args) == ast.unparse(node.args)
    assert node.returns is not None
    assert real.returns is not None
    assert ast.unparse(real.returns) == ast.unparse(node.returns)
    assert (ast.get_docstring(node) or "").split() == text.split()


@pytest.mark.parametrize(("function", "node"), FUNCTIONS)
def test_number_of_arguments(function: Any, node: ast.FunctionDef) -> None:
    most = len(node.args.posonlyargs)
    least = most - len(node.args.defaults)
    if node.args.vararg is not None:
        return  # takes stray arguments, which the chapters' tests cover
    with pytest.raises(TypeError):
        function(*[0] * (most + 1))
    if least > 0:
        with pytest.raises(TypeError):
            function(*[0] * (least - 1))


@pytest.mark.parametrize(("function", "node"), FUNCTIONS)
def test_types_of_arguments(function: Any, node: ast.FunctionDef) -> None:
    annotations = [
        ast.unparse(argument.annotation) for argument in node.args.posonlyargs if argument.annotation
    ]
    for place, annotation in enumerate(annotations):
        if annotation != "int":
            continue
        values: dict[str, Any] = {"int": 0, "bytes": b"", "str": "", "float": 0.0}
        arguments = [values.get(name, []) for name in annotations]
        for wrong in (None, "0", b"0", 0.0, 1.5, [0], (), object(), 1 << 64, -(1 << 63) - 1, 10**100):
            arguments[place] = wrong
            with pytest.raises(TypeError):
                function(*arguments)


def test_everything_that_is_an_integer_is_taken(device: int) -> None:
    class Policy(enum.IntEnum):
        HUGE_FIRST = 0

    class Index:
        def __index__(self) -> int:
            return 64

    class Broken:
        def __index__(self) -> int:
            raise RuntimeError

    for size in (64, Index(), True):
        pointer, ret = acl.rt.malloc(size, Policy.HUGE_FIRST)  # type: ignore[arg-type]
        assert ret == 0
        assert acl.rt.free(pointer) == 0
    with pytest.raises(TypeError):
        acl.rt.malloc(Broken(), 0)  # type: ignore[arg-type]
    np = pytest.importorskip("numpy")
    pointer, ret = acl.rt.malloc(np.uint64(64), np.int8(0))
    assert ret == 0
    assert acl.rt.free(np.uint64(pointer)) == 0
    with pytest.raises(TypeError):
        acl.rt.malloc(np.float64(64), 0)


def test_out_of_range_is_told() -> None:
    with pytest.raises(TypeError, match="-1 is out of range, allowed is 0 to 18446744073709551615"):
        acl.rt.free(-1)
    with pytest.raises(TypeError, match="2147483648 is out of range, allowed is -2147483648 to 2147483647"):
        acl.rt.set_device(1 << 31)


def test_keywords_are_refused() -> None:
    with pytest.raises(TypeError):
        acl.rt.set_device(device_id=0)  # type: ignore[call-arg]


def test_functions_without_arguments_take_stray_ones() -> None:
    assert acl.rt.get_device_count(1, "two", None) == acl.rt.get_device_count()
    acl.get_recent_err_msg()
    assert acl.get_recent_err_msg(0) == ""
    assert acl.get_soc_name(0) == acl.get_soc_name()


def test_wild_handles_and_addresses(device: int) -> None:
    """Any number may be passed as a handle or an address: the result is a code."""
    wild = [1, 0x1000, 0xDEADBEEF, 2**63, 2**64 - 1]
    for number in wild:
        for name in [
            "destroy_stream",
            "destroy_stream_force",
            "synchronize_stream",
            "stream_abort",
            "destroy_event",
            "synchronize_event",
            "destroy_notify",
            "destroy_context",
            "set_context",
            "free",
            "free_host",
            "host_unregister",
            "release_mem_address",
            "free_physical",
            "unmap_mem",
            "mem_pool_destroy",
            "allocator_destroy_desc",
        ]:
            assert getattr(acl.rt, name)(number) != 0, name
        assert acl.rt.memcpy(number, 64, number + 64 if number < 2**63 else 64, 64, 0) != 0
        assert acl.rt.memset(number, 64, 0, 64) != 0
        assert acl.rt.memcpy_async(number, 64, 4096, 64, 1, number) != 0
        assert acl.rt.launch_callback(print, None, 0, number) != 0
        assert acl.destroy_data_buffer(number) != 0
        assert acl.rt.get_task_id_from_exception_info(number) == 0xFFFFFFFF
