# SPDX-License-Identifier: Apache-2.0
"""The checker and Python: each test runs a small program in a fresh process under the checker."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any, Callable

import pytest

EXIT_FINDINGS = 86


class Checked:
    """A program, and the checker's output for it."""

    def __init__(self, path: Path, run: subprocess.CompletedProcess[str], report: Path) -> None:
        self.path = str(path)
        self.run = run
        self.report: dict[str, Any] = json.loads(report.read_text()) if report.exists() else {"findings": []}
        self._lines = path.read_text().splitlines()

    def findings(self, severity: str = "error") -> list[dict[str, Any]]:
        return [found for found in self.report["findings"] if found["severity"] == severity]

    def rules(self) -> list[str]:
        return [found["rule"] for found in self.findings()]

    def line(self, tag: str) -> int:
        """The line that ends with this comment."""
        return next(number for number, text in enumerate(self._lines, 1) if text.endswith(f"# {tag}"))

    def frame(self, tag: str, function: str) -> dict[str, Any]:
        short = function if sys.version_info >= (3, 11) else function.rpartition(".")[2]
        return {"function": short, "file": self.path, "line": self.line(tag)}


CheckProgram = Callable[..., Checked]


@pytest.fixture
def check_program(tmp_path: Path) -> CheckProgram:
    def check(source: str, **variables: str) -> Checked:
        path = tmp_path / "program.py"
        path.write_text(source)
        report = tmp_path / "report.json"
        environment = {**os.environ, "FERRY_CHECK": "1", "FERRY_REPORT": str(report), **variables}
        environment.pop("FERRY_SCHEDULE", None)
        run = subprocess.run(
            [sys.executable, "-X", "faulthandler", str(path)],
            env=environment,
            cwd=tmp_path,
            capture_output=True,
            text=True,
            check=False,
            timeout=100,  # a program that hangs is killed, and fails its test
        )
        return Checked(path, run, report)

    return check


def test_both_places_of_a_write_in_flight(check_program: CheckProgram) -> None:
    checked = check_program("""
import ferry

class Loader:
    def load(self, buffer, array, stream):
        return ferry.copy_async(buffer, array, stream=stream)  # queued

def refill(array):
    array[:] = 7  # touched

with ferry.Device(0), ferry.Stream() as stream, ferry.Buffer(1 << 16) as buffer:
    array = ferry.pinned_empty(1 << 16, "uint8")
    transfer = Loader().load(buffer, array, stream)  # outer
    refill(array)
    transfer.wait()
    (found,) = [found for found in ferry.checker.findings() if found.severity == "error"]
    assert (found.rule, found.suppressed) == ("host-write-in-flight", False)
    assert [place.script[0].function.rpartition(".")[2] for place in found.places] == ["refill", "load"]
    assert "program.py:9" in str(found)
    # Each touched page counts.
    assert ferry.checker.count() == ferry.checker.count("host-write-in-flight") == found.count >= 1
    assert ferry.checker.is_on()
""")
    assert checked.run.returncode == EXIT_FINDINGS, checked.run.stderr
    assert checked.rules() == ["host-write-in-flight"]
    touched, queued = checked.findings()[0]["places"]
    assert touched["script"][0] == checked.frame("touched", "refill")
    assert touched["script"][-1]["function"] == "<module>"
    # Frames of the package are left out.
    assert queued["script"] == [
        checked.frame("queued", "Loader.load"),
        checked.frame("outer", "<module>"),
    ]
    assert queued["function"] == "aclrtMemcpyAsync"
    # The text has Python's frames first, with short paths, followed by native frames.
    text = checked.run.stderr
    assert f"#0  refill    program.py:{checked.line('touched')}" in text
    assert "_PyEval" not in text
    assert {"path": "program.py", "line": checked.line("touched")}.items() <= checked.report["annotations"][
        0
    ].items()


def test_both_places_through_acl(check_program: CheckProgram) -> None:
    checked = check_program("""
import acl, ctypes

assert acl.rt.set_device(0) == 0
stream, _ = acl.rt.create_stream()
device, _ = acl.rt.malloc(4096, 0)
host, _ = acl.rt.malloc_host(4096)

def save():
    assert acl.rt.memcpy_async(host, 4096, device, 4096, 2, stream) == 0  # queued

def use():
    return ctypes.string_at(host, 4096)  # touched

assert acl.rt.memset(device, 4096, 1, 4096) == 0
save()
use()
assert acl.rt.synchronize_stream(stream) == 0
assert acl.rt.destroy_stream(stream) == 0
assert acl.rt.free_host(host) == 0
assert acl.rt.free(device) == 0
try:
    raise KeyError("kept")
except KeyError as error:
    assert acl.rt.free(device) != 0  # freed twice
    assert error.args == ("kept",)
""")
    assert checked.run.returncode == EXIT_FINDINGS, checked.run.stderr
    assert checked.rules() == ["host-read-in-flight", "use-after-free"]
    touched, queued = checked.findings()[0]["places"]
    assert checked.frame("touched", "use") in touched["script"]  # the innermost frame is ctypes' own function
    assert queued["script"][0] == checked.frame("queued", "save")
    freed_twice = checked.findings()[1]["places"][0]
    assert freed_twice["script"] == [checked.frame("freed twice", "<module>")]


def test_programs_without_misuse(check_program: CheckProgram) -> None:
    checked = check_program("""
import ferry

with ferry.Device(0), ferry.Stream() as stream, ferry.Buffer(1 << 16) as buffer:
    array = ferry.pinned_empty(1 << 16, "uint8")
    for value in range(20):
        array[:] = value
        ferry.copy_async(buffer, array, stream=stream).wait()
    array[:] = 0
    ferry.copy_async(array, buffer, stream=stream).wait()
    assert (array == 19).all()
    assert ferry.checker.count() == 0
""")
    assert (checked.run.returncode, checked.findings()) == (0, []), checked.run.stderr


def test_without_the_check_nothing_is_found(check_program: CheckProgram) -> None:
    checked = check_program(
        """
import ferry

with ferry.Device(0), ferry.Stream() as stream, ferry.Buffer(4096) as buffer:
    array = ferry.pinned_empty(4096, "uint8")
    transfer = ferry.copy_async(buffer, array, stream=stream)
    array[:] = 1
    transfer.wait()
assert (ferry.checker.is_on(), ferry.checker.count(), ferry.checker.findings()) == (False, 0, [])
""",
        FERRY_CHECK="0",
    )
    assert (checked.run.returncode, checked.run.stderr) == (0, "")


def test_suppressions_match_frames_of_python(check_program: CheckProgram, tmp_path: Path) -> None:
    suppressions = tmp_path / "suppressions"
    suppressions.write_text("host-write-in-flight  refill  # the first byte is not read\n")
    checked = check_program(
        """
import ferry

def refill(array):
    array[:1] = 7

with ferry.Device(0), ferry.Stream() as stream, ferry.Buffer(4096) as buffer:
    array = ferry.pinned_empty(4096, "uint8")
    transfer = ferry.copy_async(buffer, array, stream=stream)
    refill(array)
    transfer.wait()
assert ferry.checker.count() == 0
assert [found.suppressed for found in ferry.checker.findings() if found.severity == "error"] == [True]
""",
        FERRY_SUPPRESSIONS=str(suppressions),
    )
    assert checked.run.returncode == 0, checked.run.stderr


def test_callbacks(check_program: CheckProgram) -> None:
    """A Python callback runs under the checker, may use completed work, and forbidden calls are reported."""
    checked = check_program("""
import acl, ctypes

assert acl.rt.set_device(0) == 0
context, _ = acl.rt.get_context()
stream, _ = acl.rt.create_stream()
device, _ = acl.rt.malloc(4096, 0)
host, _ = acl.rt.malloc_host(4096)
served = []

def serve(rounds):
    assert acl.rt.set_context(context) == 0
    while len(served) < rounds:
        acl.rt.process_report(1000)

def callback(name):
    ctypes.memset(host, 1, 4096)
    if name == "last":
        _, code = acl.rt.malloc(64, 0)  # forbidden
    served.append(name)

thread, _ = acl.util.start_thread(serve, 3)
assert acl.rt.subscribe_report(thread, stream) == 0
for name in ("first", "second", "last"):
    assert acl.rt.memcpy_async(device, 4096, host, 4096, 1, stream) == 0
    assert acl.rt.launch_callback(callback, name, 1, stream) == 0
assert acl.rt.synchronize_stream(stream) == 0
assert acl.util.stop_thread(thread) == 0
assert served == ["first", "second", "last"]
assert acl.rt.unsubscribe_report(thread, stream) == 0
""")
    assert checked.run.returncode == EXIT_FINDINGS, checked.run.stderr
    assert checked.rules() == ["callback-call"], checked.run.stderr
    assert checked.findings()[0]["places"][0]["script"][0] == checked.frame("forbidden", "callback")


def test_threads_do_not_wait_for_each_other_for_ever(check_program: CheckProgram) -> None:
    """Some threads hold the interpreter lock and request the checker's, others the reverse: failing calls
    request stacks, and calls that keep the interpreter lock do not release it for the checker."""
    checked = check_program("""
import sys, threading
import acl, ferry

sys.setswitchinterval(1e-6)
ferry.Device(0).activate()
ferry.Device.count()

def copies():
    with ferry.Device(0), ferry.Stream() as stream, ferry.Buffer(4096) as buffer:
        array = ferry.pinned_empty(4096, "uint8")
        for value in range(100):
            transfer = ferry.copy_async(buffer, array, stream=stream)
            array[:] = value % 2  # touched
            transfer.wait()

def failures():
    ferry.Device(0).activate()
    for _ in range(1000):
        assert acl.rt.free(64) != 0
        assert acl.rt.get_last_error(0) >= 0
        assert acl.rt.peek_at_last_error(0) >= 0

def questions():
    ferry.Device(0).activate()
    for _ in range(1000):
        acl.rt.get_device()
        acl.rt.get_device_count()
        ferry.checker.count()
        event, _ = acl.rt.create_event()
        acl.rt.query_event_status(event)
        acl.rt.destroy_event(event)

threads = [threading.Thread(target=work) for work in (copies, failures, questions) for _ in range(2)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
print(len(ferry.checker.findings()) > 0)
""")
    assert checked.run.returncode == EXIT_FINDINGS, checked.run.stderr
    assert checked.run.stdout == "True\n"
    assert "host-write-in-flight" in checked.rules()


def test_the_end_of_the_interpreter(check_program: CheckProgram) -> None:
    """Threads that wait in the library while the interpreter shuts down, and misuse at the very end."""
    checked = check_program("""
import atexit, threading
import acl, ferry

ferry.Device(0).activate()
stream = ferry.Stream()
array = ferry.pinned_empty(4096, "uint8")
buffer = ferry.Buffer(4096)

def wait():
    ferry.Device(0).activate()
    acl.rt.process_report(-1)

threading.Thread(target=wait, daemon=True).start()

def misuse():
    ferry.copy_async(buffer, array, stream=stream)
    array[:] = 1

atexit.register(misuse)
""")
    assert checked.run.returncode == EXIT_FINDINGS, checked.run.stderr
    assert checked.rules() == ["host-write-in-flight"]
