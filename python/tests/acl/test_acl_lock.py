# SPDX-License-Identifier: Apache-2.0
"""Every call that can block or copy releases the interpreter lock. Shown without a clock: by C functions that
replace the library's and check the lock, and by calls that return only after another Python thread has
run."""

from __future__ import annotations

import ctypes
import json
import re
import shutil
import subprocess
import threading
from pathlib import Path
from typing import TYPE_CHECKING, Any, Callable

import acl
import pytest

if TYPE_CHECKING:
    from tests.acl.conftest import Allocate, RunPython

# These read something small and never wait.
KEEPING = {
    "data_type_size",
    "float16_to_float",
    "float_to_float16",
    "get_cann_attribute_list",
    "get_cann_version",
    "get_data_buffer_addr",
    "get_data_buffer_size",
    "get_data_buffer_size_v2",
    "get_device_id_from_exception_info",
    "get_error_code_from_exception_info",
    "get_last_error",
    "get_recent_err_msg",
    "get_stream_id_from_exception_info",
    "get_task_id_from_exception_info",
    "get_thread_id_from_exception_info",
    "get_version",
    "get_version_str",
    "peek_at_last_error",
}


def functions() -> dict[str, str]:
    """Python names with the C functions behind them, which end their docstrings."""
    names = {}
    for module in (acl, acl.rt):
        for name in dir(module):
            match = re.search(r"\((acl\w+)\)\.$", getattr(module, name).__doc__ or "")
            if match:
                names[name] = match[1]
    return names


def build(folder: Path, source: str) -> Path:
    compiler = shutil.which("cc") or shutil.which("gcc")
    assert compiler, "a C compiler is needed"
    (folder / "stand_in.c").write_text(source)
    library = folder / "stand_in.so"
    subprocess.run(
        [compiler, "-shared", "-fPIC", "-o", str(library), str(folder / "stand_in.c"), "-ldl"], check=True
    )
    return library


LOOK = """
import acl, ast, ctypes, json, re, sys
stubs, library = sys.argv[1:]
PLACE = {"id": 0, "type": 0}
PROP = {"handleType": 0, "allocationType": 0, "allocType": 0, "memAttr": 0, "maxSize": 0, "location": PLACE}
DICT = {**PLACE, **PROP, "attrs": []}  # has the keys of every structure
VALUES = {"int": 0, "float": 0.0, "str": "", "dict": DICT, "list": [], "Callable": print, "Any": []}
VALUES["bytes"] = bytes(64)
shims = ctypes.CDLL(library)
kept = {}
for module, file in ((acl, "__init__"), (acl.rt, "rt")):
    for node in ast.parse(open(f"{stubs}/{file}.pyi").read()).body:
        if not isinstance(node, ast.FunctionDef):
            continue
        arguments = [VALUES[re.match(r"\\w+", ast.unparse(a.annotation))[0]] for a in node.args.posonlyargs]
        shims.start_looking()
        getattr(module, node.name)(*arguments)
        kept[node.name] = shims.what_was_seen()
print(json.dumps(kept))
"""


def test_which_calls_give_the_lock_back(run_python: RunPython, tmp_path: Path) -> None:
    names = functions()
    source = "int PyGILState_Check(void);\nstatic int seen;\n"
    source += "void start_looking(void) { seen = -1; }\nint what_was_seen(void) { return seen; }\n"
    for name in sorted(set(names.values())):
        source += f"long {name}(void) {{ seen = PyGILState_Check(); return 0; }}\n"
    library = build(tmp_path, source)
    stubs = Path(__file__).parents[2] / "stubs" / "acl"
    done = run_python(LOOK, str(stubs), str(library), LD_PRELOAD=str(library))
    kept = json.loads(done.stdout)
    assert kept.keys() == names.keys()
    assert [name for name, state in kept.items() if state == -1] == [], "not called at all"
    assert {name for name, state in kept.items() if state == 1} == KEEPING


def test_other_threads_run_during_a_long_memcpy(run_python: RunPython, tmp_path: Path) -> None:
    """This memcpy blocks until another Python thread writes a byte."""
    library = build(
        tmp_path,
        """
#include <dlfcn.h>
#include <stddef.h>
#include <unistd.h>
int gate = -1;
typedef int (*Copy)(void*, size_t, const void*, size_t, int);
int aclrtMemcpy(void* dst, size_t max, const void* src, size_t count, int kind) {
  char byte;
  if (read(gate, &byte, 1) != 1) return -1;
  void* library = dlopen("libascendcl.so", RTLD_LAZY | RTLD_NOLOAD);
  return ((Copy)dlsym(library, "aclrtMemcpy"))(dst, max, src, count, kind);
}
""",
    )
    run_python(
        """
import acl, ctypes, os, sys, threading
reader, writer = os.pipe()
ctypes.c_int.in_dll(ctypes.CDLL(sys.argv[1]), "gate").value = reader
assert acl.rt.set_device(0) == 0
pointer, ret = acl.rt.malloc(64, 0)
data = bytes(range(64))
threading.Thread(target=os.write, args=(writer, b"x")).start()
assert acl.rt.memcpy(pointer, 64, acl.util.bytes_to_ptr(data), 64, 1) == 0
""",
        str(library),
        LD_PRELOAD=str(library),
    )


def run_beside(blocked: Callable[[], Any], opener: Callable[[], None]) -> Any:
    """Calls `blocked`, which returns only after `opener` has run on another Python thread."""
    context, ret = acl.rt.get_context()
    assert ret == 0

    def open_it() -> None:
        assert acl.rt.set_context(context) == 0
        opener()

    thread = threading.Thread(target=open_it)
    thread.start()
    result = blocked()
    thread.join()
    return result


def test_other_threads_run_during_synchronisation(stream: int, closed: Callable[[], None]) -> None:
    event, ret = acl.rt.create_event()
    assert ret == 0
    assert acl.rt.record_event(event, stream) == 0
    assert run_beside(lambda: acl.rt.synchronize_stream(stream), closed) == 0
    assert acl.rt.synchronize_event(event) == 0
    assert acl.rt.destroy_event(event) == 0


@pytest.mark.parametrize(
    "wait",
    [
        lambda stream: acl.rt.synchronize_stream_with_timeout(stream, -1),
        lambda stream: acl.rt.synchronize_device(),
        lambda stream: acl.rt.synchronize_device_with_timeout(-1),
    ],
)
def test_other_threads_run_during_every_wait(
    stream: int, closed: Callable[[], None], wait: Callable[[int], int]
) -> None:
    assert run_beside(lambda: wait(stream), closed) == 0


def test_other_threads_run_during_a_pageable_copy(
    stream: int, closed: Callable[[], None], device_memory: Allocate
) -> None:
    pointer = device_memory(64)
    source = ctypes.create_string_buffer(64)
    blocked = run_beside(
        lambda: acl.rt.memcpy_async(pointer, 64, ctypes.addressof(source), 64, 1, stream), closed
    )
    assert blocked == 0
