# SPDX-License-Identifier: Apache-2.0
"""The pytest plugin, from outside: each test runs pytest on a small file."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Callable

import pytest

import ferry
from ferry.__main__ import find_program

Run = Callable[..., "subprocess.CompletedProcess[str]"]

# The child must find the same modules, however this process found them.
START = (
    "import json, os, sys; sys.path[:] = json.loads(os.environ['MODULES']); "
    "import pytest; sys.exit(pytest.main(sys.argv[1:]))"
)


@pytest.fixture
def run_pytest(tmp_path: Path) -> Run:
    def run(
        source: str,
        *arguments: str,
        conftest: str | None = None,
        through: tuple[str, ...] = (),
        **variables: str,
    ) -> subprocess.CompletedProcess[str]:
        (tmp_path / "test_it.py").write_text(source)
        (tmp_path / "pytest.ini").write_text("[pytest]\n")
        if conftest is not None:
            (tmp_path / "conftest.py").write_text(conftest)
        # Where the package is installed, its entry point loads the plugin; naming it again would be an error.
        plugin = () if is_installed() else ("-p", "ferry.pytest_plugin")
        environment = {**os.environ, "MODULES": json.dumps(sys.path), **variables}
        command = [*through, sys.executable, "-c", START, *plugin]
        command += ["-p", "no:cacheprovider", "-rs", "-q", *arguments]
        return subprocess.run(
            command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False
        )

    return run


def is_installed() -> bool:
    from importlib.metadata import entry_points

    found = entry_points()
    group = found.select(group="pytest11") if hasattr(found, "select") else found.get("pytest11", ())
    return any(entry.value == "ferry.pytest_plugin" for entry in group)


def outcome(run: subprocess.CompletedProcess[str]) -> dict[str, int]:
    """The last line of pytest: {"passed": 3, "failed": 1}."""
    words = re.findall(r"(\d+) (passed|failed|skipped|errors?|xfailed)", run.stdout.strip().splitlines()[-1])
    return {word: int(count) for count, word in words}


def test_options_set_the_whole_run(run_pytest: Run) -> None:
    source = """
import ferry

def test_settings(ferry_device_count, ferry_soc, ferry_schedule, ferry_device):
    assert (ferry_device_count, ferry_soc, ferry_schedule) == (3, "Ascend310P3", "shuffle:7")
    assert ferry_device.memory().total <= 64 << 20
"""
    run = run_pytest(
        source,
        "--ferry-devices=cpu:3",
        "--ferry-soc=Ascend310P3",
        "--ferry-schedule=shuffle:7",
        "--ferry-memory=64M",
    )
    assert outcome(run) == {"passed": 1}, run.stdout


def test_without_options(run_pytest: Run) -> None:
    source = """
import ferry

def test_copy(ferry_stream, ferry_device_count):
    assert ferry_device_count >= 1
    with ferry.Buffer(4) as buffer:
        ferry.copy_async(buffer, b"abcd", stream=ferry_stream).wait()
        assert buffer.tobytes() == b"abcd"
"""
    assert outcome(run_pytest(source)) == {"passed": 1}


def test_a_failure_on_the_stream_fails_the_test(run_pytest: Run) -> None:
    source = """
import acl, ferry

def test_copy(ferry_stream):
    address, _ = acl.rt.malloc(64, 0)
    ferry.copy_async(ferry.Buffer.from_address(address, 4096), ferry.pinned_bytes(4096), stream=ferry_stream)
"""
    run = run_pytest(source)
    assert outcome(run) == {"passed": 1, "error": 1}
    assert "TaskFailedError" in run.stdout


@pytest.mark.parametrize(
    ("option", "text"),
    [("--ferry-schedule=sometimes", "FERRY_SCHEDULE"), ("--ferry-soc=Ascend1", "FERRY_SOC")],
)
def test_options_that_are_wrong(run_pytest: Run, option: str, text: str) -> None:
    run = run_pytest("def test_it(): pass", option)
    assert run.returncode == pytest.ExitCode.USAGE_ERROR
    assert text in run.stderr


USES_THE_LIBRARY = "import ferry; ferry.Device.count()"


@pytest.mark.parametrize("option", ["--ferry-schedule=lazy", "--ferry-check"])
def test_options_that_come_too_late(run_pytest: Run, tmp_path: Path, option: str) -> None:
    (tmp_path / "early.py").write_text(USES_THE_LIBRARY)
    modules = json.dumps([str(tmp_path), *sys.path])
    run = run_pytest("def test_it(): pass", "-p", "early", option, MODULES=modules)
    assert run.returncode == pytest.ExitCode.USAGE_ERROR
    assert "comes too late" in run.stderr


def test_options_come_before_a_conftest(run_pytest: Run) -> None:
    source = "def test_it(ferry_check, ferry_schedule): assert ferry_schedule == 'lazy'"
    run = run_pytest(source, "--ferry-schedule=lazy", "--ferry-check", conftest=USES_THE_LIBRARY)
    assert outcome(run) == {"passed": 1}


def test_all_tests_are_repeated_in_other_orders(run_pytest: Run) -> None:
    source = "def test_it(ferry_schedule): assert ferry_schedule != 'shuffle:3'"
    run = run_pytest(source, "--ferry-repeat", "2")
    assert run.returncode == 0
    assert [f"shuffle:{seed}" in run.stdout for seed in (1, 2, 3)] == [True, True, False]
    run = run_pytest(source, "--ferry-repeat=9")
    assert run.returncode == pytest.ExitCode.TESTS_FAILED
    assert "run 3 of 9 failed; to repeat it: --ferry-schedule shuffle:3" in run.stdout
    assert "shuffle:4" not in run.stdout


@pytest.mark.parametrize("options", [["--ferry-repeat=0"], ["--ferry-repeat=2", "--ferry-schedule=lazy"]])
def test_repetitions_that_are_wrong(run_pytest: Run, options: list[str]) -> None:
    run = run_pytest("def test_it(): pass", *options)
    assert run.returncode == pytest.ExitCode.USAGE_ERROR
    assert "ferry-" in run.stderr


MARKED = """
import os, pytest, ferry

here = os.getpid()
setups = []

@pytest.fixture(scope="module")
def shared():
    setups.append(1)
    yield setups
    setups.pop()

def test_before(shared, ferry_schedule):
    assert ferry_schedule == "eager"

@pytest.mark.ferry(schedule="lazy", devices="cpu:2")
def test_lazy(ferry_schedule, ferry_device_count, shared):
    assert (ferry_schedule, ferry_device_count) == ("lazy", 2)

@pytest.mark.ferry(soc="Ascend310P3")
class TestProduct:
    def test_soc(self, ferry_soc):
        assert ferry_soc == "Ascend310P3"

    @pytest.mark.ferry(schedule="shuffle:2")
    def test_both(self, ferry_soc, ferry_schedule):
        assert (ferry_soc, ferry_schedule) == ("Ascend310P3", "shuffle:2")

def shuffled(seed):
    return pytest.param(seed, marks=pytest.mark.ferry(schedule=f"shuffle:{seed}"))

@pytest.mark.parametrize("seed", [shuffled(seed) for seed in range(3)])
def test_seeds(seed, ferry_schedule):
    assert ferry_schedule == f"shuffle:{seed}"

@pytest.mark.ferry(fail="aclrtMalloc:1=207001", threads=1, memory="32M")
def test_out_of_memory(ferry_device):
    with pytest.raises(MemoryError):
        ferry.Buffer(64)

def test_after(shared, ferry_schedule):
    assert ferry_schedule == "eager"
"""


def test_markers_run_tests_in_processes_of_their_own(run_pytest: Run) -> None:
    run = run_pytest(MARKED)
    assert outcome(run) == {"passed": 9}, run.stdout


def test_what_happens_in_the_other_process_is_told(run_pytest: Run) -> None:
    source = """
import os, pytest, signal

@pytest.mark.ferry(schedule="lazy")
def test_fails():
    print("said before")
    assert 1 + 1 == 3

@pytest.mark.ferry(schedule="lazy")
def test_skips():
    pytest.skip("no wish to")

@pytest.mark.ferry(schedule="lazy")
@pytest.mark.xfail(strict=True)
def test_expected():
    assert False

@pytest.mark.ferry(schedule="lazy")
def test_dies():
    os.kill(os.getpid(), signal.SIGKILL)

@pytest.mark.ferry(schedule="lazy")
def test_device_pointer(ferry_device):
    import ctypes, ferry
    ctypes.string_at(ferry.Buffer(64).address, 1)

@pytest.mark.ferry(schedule="lazy")
def test_setup(no_such_fixture):
    pass

def test_last():
    pass
"""
    run = run_pytest(source)
    assert outcome(run) == {"failed": 3, "skipped": 1, "xfailed": 1, "error": 1, "passed": 1}, run.stdout
    for text in (
        "assert (1 + 1) == 3",
        "said before",
        "no wish to",
        "ended with -9",
        "ended with -11",
        "the host touched",
    ):
        assert text in run.stdout, text


def test_markers_between_files(run_pytest: Run, tmp_path: Path) -> None:
    """A file's fixtures are torn down although its last test ran in another process."""
    (tmp_path / "test_another.py").write_text(
        "import pytest\n"
        "@pytest.fixture(scope='module')\n"
        "def shared():\n"
        "    yield\n"
        "    print('torn down')\n"
        "def test_one(shared): pass\n"
        "@pytest.mark.ferry(schedule='lazy')\n"
        "def test_two(shared): pass\n"
    )
    run = run_pytest("def test_it(): pass", "-s")
    assert outcome(run) == {"passed": 3}, run.stdout
    assert run.stdout.count("torn down") == 1


@pytest.mark.parametrize("marker", ["ferry(size=3)", "ferry('lazy')"])
def test_markers_that_are_wrong(run_pytest: Run, marker: str) -> None:
    run = run_pytest(f"import pytest\n@pytest.mark.{marker}\ndef test_it(): pass")
    assert run.returncode == pytest.ExitCode.USAGE_ERROR
    assert "takes devices, soc, schedule" in run.stdout + run.stderr


def test_settings_in_markers_that_are_wrong(run_pytest: Run) -> None:
    run = run_pytest("import pytest\n@pytest.mark.ferry(soc='Ascend1')\ndef test_it(ferry_device): pass")
    assert outcome(run) == {"error": 1}
    assert "FERRY_SOC" in run.stdout


MISUSE = """
import ferry, pytest

def overwrite(stream):
    array = ferry.pinned_empty(4096, "uint8")
    buffer = ferry.Buffer(4096)
    transfer = ferry.copy_async(buffer, array, stream=stream)
    array[0] = 1  # too early
    transfer.wait()

def copy(stream):
    array = ferry.pinned_empty(4096, "uint8")
    with ferry.Buffer(4096) as buffer:
        ferry.copy_async(buffer, array, stream=stream).wait()
"""

CHECKED = (
    MISUSE
    + """
def test_before(ferry_stream, ferry_check):
    copy(ferry_stream)

def test_misuse(ferry_stream):
    overwrite(ferry_stream)

def test_between(ferry_stream):
    copy(ferry_stream)

def test_misuse_again(ferry_stream):
    overwrite(ferry_stream)

@pytest.fixture
def misused(ferry_stream):
    yield
    overwrite(ferry_stream)

def test_teardown(misused):
    pass

@pytest.mark.xfail(strict=True)
def test_expected(ferry_stream):
    overwrite(ferry_stream)

def test_after(ferry_stream):
    copy(ferry_stream)
"""
)


def test_errors_fail_the_tests_that_made_them(run_pytest: Run) -> None:
    run = run_pytest(CHECKED, "--ferry-check", "-rfE")
    # The test whose teardown fails counts as passed.
    assert outcome(run) == {"passed": 4, "failed": 2, "error": 1, "xfailed": 1}, run.stdout
    assert run.returncode == pytest.ExitCode.TESTS_FAILED
    for line in (
        "FAILED test_it.py::test_misuse ",
        "FAILED test_it.py::test_misuse_again ",
        "ERROR test_it.py::test_teardown ",
    ):
        assert line in run.stdout, run.stdout
    assert "error: host-write-in-flight" in run.stdout
    early = next(number for number, text in enumerate(CHECKED.splitlines(), 1) if "too early" in text)
    assert f"test_it.py:{early}" in run.stdout


def test_rules_are_chosen(run_pytest: Run) -> None:
    source = MISUSE + "def test_misuse(ferry_stream): overwrite(ferry_stream)"
    assert outcome(run_pytest(source, "--ferry-rules=stream-race")) == {"passed": 1}
    assert outcome(run_pytest(source, "--ferry-rules=host-write-in-flight")) == {"failed": 1}
    assert outcome(run_pytest(source, "--ferry-check", "--ferry-mute=host-write-in-flight")) == {"passed": 1}
    assert outcome(run_pytest(source, FERRY_CHECK="1")) == {"failed": 1}
    run = run_pytest(source, "--ferry-rules=no-such-rule")
    assert run.returncode == pytest.ExitCode.USAGE_ERROR
    assert "no-such-rule" in run.stderr


def test_markers_turn_the_check_on(run_pytest: Run) -> None:
    source = (
        MISUSE
        + """
@pytest.mark.ferry(check=True)
def test_misuse(ferry_stream):
    overwrite(ferry_stream)

@pytest.mark.ferry(check=True)
@pytest.mark.xfail(strict=True)
def test_expected(ferry_stream):
    overwrite(ferry_stream)

@pytest.mark.ferry(check="stream-race")
def test_other_rule(ferry_stream):
    overwrite(ferry_stream)

@pytest.mark.ferry(check=True, mute="host-write-in-flight")
def test_muted(ferry_stream):
    overwrite(ferry_stream)

def test_unchecked(ferry_stream):
    overwrite(ferry_stream)

def test_skipped(ferry_check):
    raise SystemExit("must not run")
"""
    )
    run = run_pytest(source)
    assert outcome(run) == {"failed": 1, "xfailed": 1, "passed": 3, "skipped": 1}, run.stdout
    assert run.returncode == pytest.ExitCode.TESTS_FAILED
    assert "the check layer is off" in run.stdout


def test_ferry_run_lets_threads_that_block_signals_be_checked(run_pytest: Run) -> None:
    try:
        program = find_program(Path(os.path.abspath(ferry.__file__)).parent)
    except FileNotFoundError as error:
        pytest.skip(str(error))
    source = (
        MISUSE
        + """
import signal

@pytest.fixture
def blocked_signal():
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGSEGV})
    yield
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGSEGV})

def test_misuse(ferry_stream, blocked_signal):
    overwrite(ferry_stream)

@pytest.mark.ferry(devices="cpu:2")
def test_misuse_in_a_process_of_its_own(ferry_stream, blocked_signal):
    overwrite(ferry_stream)
"""
    )
    run = run_pytest(source, through=(str(program), "run", "--check", "--"))
    assert outcome(run) == {"failed": 2}, run.stdout
    assert run.stdout.count("the check layer found:\n\nerror: host-write-in-flight") == 2, run.stdout


def test_errors_outside_of_tests_fail_the_run(run_pytest: Run) -> None:
    conftest = (
        MISUSE
        + """
def pytest_collection_finish():
    with ferry.Device(0), ferry.Stream() as stream:
        overwrite(stream)
"""
    )
    run = run_pytest("def test_it(): pass", "--ferry-check", conftest=conftest)
    assert outcome(run) == {"passed": 1}, run.stdout
    assert run.returncode == pytest.ExitCode.TESTS_FAILED
    assert "outside of tests" in run.stdout
    assert "error: host-write-in-flight" in run.stdout


def test_only_expected_errors_leave_the_exit_code_of_the_library(run_pytest: Run) -> None:
    source = (
        MISUSE + "@pytest.mark.xfail(strict=True)\ndef test_misuse(ferry_stream): overwrite(ferry_stream)"
    )
    run = run_pytest(source, "--ferry-check")
    assert outcome(run) == {"xfailed": 1}
    assert run.returncode == 86
