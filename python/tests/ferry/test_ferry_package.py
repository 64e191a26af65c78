# SPDX-License-Identifier: Apache-2.0
"""The whole package: examples in docstrings and files, statistics, stubs, the program, the benchmark."""

from __future__ import annotations

import ast
import doctest
import importlib
import inspect
import json
import os
import pkgutil
import subprocess
import sys
from pathlib import Path

import pytest

import ferry
from ferry import _functions, _native
from ferry.__main__ import find_program

PYTHON = Path(__file__).resolve().parents[2]
# Not ferry.torch: it needs torch_npu, and has its own tests.
MODULES = sorted(
    module.name
    for module in pkgutil.iter_modules(ferry.__path__)
    if not module.name.startswith("_") and module.name != "torch"
)


@pytest.mark.parametrize("module", ["", *(f".{name}" for name in MODULES)])
def test_examples_in_docstrings(module: str) -> None:
    result = doctest.testmod(importlib.import_module(f"ferry{module}"), optionflags=doctest.ELLIPSIS)
    assert result.failed == 0
    if module not in (".pytest_plugin",):
        assert result.attempted > 0


def test_everything_public_has_a_docstring() -> None:
    for name in ferry.__all__:
        thing = getattr(ferry, name)
        assert inspect.getdoc(thing), name
        if inspect.isclass(thing) and thing.__module__.startswith("ferry"):
            for member, value in vars(thing).items():
                if inspect.isfunction(value) and not member.startswith("_"):
                    assert inspect.getdoc(value), f"{name}.{member}"


def test_all_is_complete() -> None:
    public = {
        name
        for name, value in vars(ferry).items()
        if not name.startswith("_")
        and not inspect.ismodule(value)
        and getattr(value, "__module__", "").startswith("ferry")
    }
    assert public == {name for name in ferry.__all__ if not inspect.ismodule(getattr(ferry, name))}


@pytest.mark.parametrize("example", sorted((PYTHON / "examples").glob("*.py")), ids=lambda path: path.stem)
@pytest.mark.parametrize("schedule", ["eager", "lazy", "shuffle:1"])
def test_example_programs(example: Path, schedule: str) -> None:
    environment = {**os.environ, "FERRY_SCHEDULE": schedule}
    run = subprocess.run(
        [sys.executable, str(example)], env=environment, capture_output=True, text=True, check=False
    )
    assert (run.returncode, run.stderr) == (0, "")
    assert run.stdout.count("\n") == 1


def test_the_benchmark_runs(tmp_path: Path) -> None:
    numbers = tmp_path / "numbers.json"
    script = PYTHON / "bench" / "overhead.py"
    run = subprocess.run(
        [sys.executable, str(script), "--rounds", "1", "--json", str(numbers)],
        capture_output=True,
        text=True,
        check=False,
    )
    # Speed is not tested here: exit code 1 says that a limit was exceeded.
    assert run.returncode in (0, 1), run.stderr
    rows = json.loads(numbers.read_text())["rows"]
    assert len(rows) == 5
    assert all(row["python_ns"] > 0 and row["base_ns"] > 0 for row in rows)


def test_stats() -> None:
    with ferry.Device(0):
        before = ferry.stats()
        with ferry.Buffer(64) as buffer:
            ferry.copy(buffer, bytes(64))
            ferry.copy_batch([(buffer[:8], bytes(8)), (buffer[8:16], bytes(8))])
            memory = ferry.pinned_bytes(32)
            now = ferry.stats()
        after = ferry.stats()
    assert now.version == ferry.__version__
    assert now.library.endswith("libascendcl.so")
    assert now.soc.startswith("Ascend")
    assert now.schedule in ("eager", "lazy", "shuffle")
    assert [device.id for device in now.devices] == list(range(ferry.Device.count()))
    assert now.devices[0].kind == "cpu"
    assert now.devices[0].used >= 64
    assert (now.copies, now.batches, now.batch_items) == (
        before.copies + 1,
        before.batches + 1,
        before.batch_items + 2,
    )
    assert now.bytes_copied == before.bytes_copied + 64 + 16
    assert (now.buffers, now.buffer_bytes) == (before.buffers + 1, before.buffer_bytes + 64)
    assert now.pinned_bytes == before.pinned_bytes + len(memory)
    assert (after.buffers, after.buffer_bytes) == (before.buffers, before.buffer_bytes)


def test_calls_are_counted_when_asked_for() -> None:
    script = """
import ferry
assert ferry.stats().calls is None
ferry.count_calls()
with ferry.Device(0), ferry.Buffer(16) as buffer:
    for _ in range(3):
        ferry.copy(buffer, bytes(16))
calls = ferry.stats().calls
assert (calls["aclrtMemcpy"], calls["aclrtMalloc"], calls["aclrtFree"]) == (3, 1, 1), calls
ferry.count_calls()
assert ferry.stats().calls == {}
"""
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert (run.returncode, run.stderr) == (0, "")


def test_the_library_knows_every_function_that_is_listed() -> None:
    ferry.count_calls()
    assert [name for name in _functions.FUNCTIONS if _native.call_count(name) is None] == []
    assert list(_functions.FUNCTIONS) == sorted(set(_functions.FUNCTIONS))
    assert _native.call_count("noSuchFunction") is None


def stub_names(body: list[ast.stmt]) -> set[str]:
    return {node.name for node in body if isinstance(node, (ast.FunctionDef, ast.ClassDef))}


def test_the_stub_agrees_with_the_extension() -> None:
    tree = ast.parse((PYTHON / "ferry" / "_native.pyi").read_text())
    assert stub_names(tree.body) == {name for name in dir(_native) if not name.startswith("__")}
    for node in tree.body:
        if isinstance(node, ast.ClassDef):
            real = {name for name in vars(getattr(_native, node.name)) if not name.startswith("__")}
            assert {name for name in stub_names(node.body) if not name.startswith("__")} == real
        elif isinstance(node, ast.FunctionDef):
            signature = (getattr(_native, node.name).__doc__ or "").partition("(")[2]
            parameters = [argument.arg for argument in node.args.args]
            assert [parameter for parameter in parameters if f"{parameter}: " not in signature] == [], (
                node.name
            )
            assert signature.count(": ") >= len(parameters)


def test_the_package_is_typed() -> None:
    assert (PYTHON / "ferry" / "py.typed").exists()


def run_program(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "ferry", *arguments], capture_output=True, text=True, check=False
    )


def test_the_program() -> None:
    run = run_program("explain", "107002")
    assert run.returncode == 0, run.stderr
    assert "107002" in run.stdout
    assert run_program("no-such-command").returncode == 2


def test_the_program_runs_python() -> None:
    script = (
        "import ferry, sys; print(ferry.Device.count(), ferry.stats().schedule, sys.argv[1]); sys.exit(7)"
    )
    run = run_program(
        "run", "--devices", "cpu:3", "--schedule", "lazy", "--", sys.executable, "-c", script, "--mine"
    )
    assert (run.returncode, run.stdout, run.stderr) == (7, "3 lazy --mine\n", "")


def test_a_missing_program_is_told(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match=r"lib/ferry.*bin/ferry.*tools/ferry/ferry"):
        find_program(tmp_path)
    (tmp_path / "lib").mkdir()
    program = tmp_path / "lib" / "ferry"
    program.write_text("")
    with pytest.raises(FileNotFoundError):
        find_program(tmp_path)  # not executable
    program.chmod(0o755)
    assert find_program(tmp_path) == program.resolve()
