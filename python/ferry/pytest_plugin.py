# SPDX-License-Identifier: Apache-2.0
"""A pytest plugin for code that copies to and from devices.

The library reads its settings once per process, so there are two ways to choose them. For a whole run:

    pytest --ferry-devices cpu:4 --ferry-schedule lazy --ferry-soc Ascend310P3

and for single tests, each of which then runs in a fresh process:

    @pytest.mark.ferry(devices="cpu:2", schedule="shuffle:1")
    def test_transfer(ferry_device_count):
        assert ferry_device_count == 2

Fixtures: ferry_device_count, ferry_soc and ferry_schedule return this process's settings; ferry_device and
ferry_stream are ready to use; ferry_check skips the test unless the checker is on. While the checker is on
(--ferry-check, the marker's check=True, or FERRY_CHECK), a test in which a rule of severity "error" fires
fails, and its report shows the findings. Code of PyTorch is checked in the same way, if the tests or a
conftest import ferry.torch.

--ferry-repeat N runs all tests N times, each time in another order of queued work (the schedules shuffle:1
to shuffle:N), and stops at the first run that fails.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Generator, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    import ferry

# Option, or argument of the marker -> variable of the library.
SETTINGS = {
    "devices": "FERRY_DEVICES",
    "soc": "FERRY_SOC",
    "schedule": "FERRY_SCHEDULE",
    "memory": "FERRY_MEMORY",
    "threads": "FERRY_THREADS",
    "fail": "FERRY_FAIL",
    "mute": "FERRY_MUTE",
    "suppressions": "FERRY_SUPPRESSIONS",
}

# Replaces exit code 0 when the checker found an error in the process.
_EXIT_FINDINGS = 86

# Tells a child process that it runs a single test, and where to write its reports.
_REPORTS_VARIABLE = "PYTEST_FERRY_REPORTS"

# The child imports from the same places as this process, however this one was started.
_PATH_VARIABLE = "PYTEST_FERRY_PATH"
_CHILD_SCRIPT = (
    "import json, os, sys; sys.path[:] = json.loads(os.environ[sys.argv.pop(1)]); "
    "import pytest; sys.exit(pytest.main(sys.argv[1:]))"
)


def _count(text: str) -> int:
    count = int(text) if text.isdecimal() else 0
    if count < 1:
        raise argparse.ArgumentTypeError(f"{text} is not a number of runs: 1 or more")
    return count


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("ferry", "devices for AscendCL memory copies")
    for name, variable in SETTINGS.items():
        group.addoption(f"--ferry-{name}", metavar="VALUE", help=f"sets {variable} for the whole run")
    group.addoption(
        "--ferry-check", action="store_true", help="turns the check layer on: errors it finds fail tests"
    )
    group.addoption(
        "--ferry-repeat",
        metavar="N",
        type=_count,
        help="runs all tests N times, with the schedules shuffle:1 to shuffle:N, up to the first failure",
    )
    group.addoption("--ferry-rules", metavar="VALUE", help="turns the check layer on, for these rules only")


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line(
        "markers",
        f"ferry({', '.join(SETTINGS)}, check): run the test in a fresh process with these settings",
    )
    reports = os.environ.get(_REPORTS_VARIABLE)
    if reports is not None:
        config.pluginmanager.register(_ReportWriter(config, Path(reports)), "ferry-report-writer")
    else:
        _require_options(config)
    if _asks_for_check(os.environ.get("FERRY_CHECK")):
        config.pluginmanager.register(_FindingsWatch(), "ferry-findings-watch")


# ---- settings ----


def _chosen(options: argparse.Namespace) -> tuple[dict[str, str], str | None]:
    """The settings by name, and what FERRY_CHECK is to be."""
    chosen = {name: value for name in SETTINGS if (value := getattr(options, f"ferry_{name}")) is not None}
    return chosen, options.ferry_rules or ("1" if options.ferry_check else None)


@pytest.hookimpl(tryfirst=True)
def pytest_load_initial_conftests(early_config: pytest.Config) -> None:
    """A conftest may import ferry.torch, which reads the settings: they are set before."""
    if _REPORTS_VARIABLE in os.environ:
        return
    _set_variables(early_config.known_args_namespace)


def _set_variables(options: argparse.Namespace) -> None:
    chosen, rules = _chosen(options)
    for name, value in chosen.items():
        os.environ[SETTINGS[name]] = value
    if rules is not None:
        os.environ["FERRY_CHECK"] = rules


def _require_options(config: pytest.Config) -> None:
    _set_variables(config.option)  # of a plugin that was named in a conftest, for the first time
    chosen, rules = _chosen(config.option)
    if chosen or rules is not None:
        _require_settings(chosen, wants_check=_asks_for_check(rules))


# ---- all tests several times ----


@pytest.hookimpl(tryfirst=True)
def pytest_cmdline_main(config: pytest.Config) -> int | None:
    count = config.getoption("ferry_repeat")
    if count is None or _REPORTS_VARIABLE in os.environ:
        return None
    if config.getoption("ferry_schedule") is not None:
        raise pytest.UsageError("--ferry-repeat chooses the schedules itself: leave --ferry-schedule out")
    given = _without_repeat(list(config.invocation_params.args))
    environment = {**os.environ, _PATH_VARIABLE: json.dumps(sys.path)}
    for seed in range(1, count + 1):
        schedule = f"shuffle:{seed}"
        print(f"ferry: run {seed} of {count}: --ferry-schedule {schedule}", flush=True)
        command = [sys.executable, "-c", _CHILD_SCRIPT, _PATH_VARIABLE, *given, "--ferry-schedule", schedule]
        code = subprocess.run(
            command, cwd=config.invocation_params.dir, env=environment, check=False
        ).returncode
        if code != 0:
            print(
                f"ferry: run {seed} of {count} failed; to repeat it: --ferry-schedule {schedule}", flush=True
            )
            return code
    return 0


def _without_repeat(args: list[Any]) -> list[str]:
    texts = [str(arg) for arg in args]
    kept = [text for text in texts if not text.startswith("--ferry-repeat=")]
    if "--ferry-repeat" in kept:
        place = kept.index("--ferry-repeat")
        del kept[place : place + 2]
    return kept


# ---- settings as the library sees them ----


def _require_settings(chosen: dict[str, str], wants_check: bool) -> None:
    """The library may have been used, and so have read other settings, before this plugin was configured."""
    from . import checker
    from .errors import AclError

    try:
        actual = {"schedule": _schedule(), "soc": _soc()}
    except AclError as error:
        raise pytest.UsageError(f"the settings for the library are wrong: {error}") from error
    for name, value in actual.items():
        if name in chosen and chosen[name] != value:
            raise pytest.UsageError(
                f"--ferry-{name} {chosen[name]} comes too late: the library was used before, with {value}"
            )
    if wants_check and not checker.is_on():
        raise pytest.UsageError("--ferry-check comes too late: the library was used before, without it")


def _asks_for_check(value: str | None) -> bool:
    """Whether a value of FERRY_CHECK turns the checker on."""
    return value not in (None, "", "0")


def _schedule() -> str:
    from . import _native

    name, seed = _native.schedule()
    return f"{name}:{seed}" if name == "shuffle" else name


def _soc() -> str:
    import acl

    return acl.get_soc_name() or ""


# ---- tests with their own settings: a fresh process for each ----


def _marker_settings(item: pytest.Item) -> dict[str, Any] | None:
    """The settings requested by a test's markers; the nearest one wins."""
    settings: dict[str, Any] = {}
    for marker in reversed(list(item.iter_markers("ferry"))):
        settings.update(marker.kwargs)
        unknown = sorted(set(marker.kwargs) - set(SETTINGS) - {"check"})
        if marker.args or unknown:
            raise pytest.UsageError(
                f"{item.nodeid}: the marker ferry takes {', '.join(SETTINGS)} and check by name, "
                f"not {unknown or marker.args}"
            )
    return settings or None


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        _marker_settings(item)


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item, nextitem: pytest.Item | None) -> bool | None:
    settings = _marker_settings(item)
    if settings is None or _REPORTS_VARIABLE in os.environ:
        return None
    item.ihook.pytest_runtest_logstart(nodeid=item.nodeid, location=item.location)
    for report in _run_in_child(item, settings):
        item.ihook.pytest_runtest_logreport(report=report)
    item.ihook.pytest_runtest_logfinish(nodeid=item.nodeid, location=item.location)
    # The previous test left fixtures set up that it was to share with this one.
    item.session._setupstate.teardown_exact(nextitem)
    return True


def _report(item: pytest.Item, outcome: Any, text: Any) -> pytest.TestReport:
    return pytest.TestReport(item.nodeid, item.location, {}, outcome, text, "call")


def _run_in_child(item: pytest.Item, settings: dict[str, Any]) -> list[Any]:
    settings = dict(settings)
    check = settings.pop("check", None)
    with tempfile.TemporaryDirectory(prefix="ferry-pytest-") as folder:
        reports = Path(folder) / "reports"
        environment = dict(os.environ)
        environment.update({SETTINGS[name]: str(value) for name, value in settings.items()})
        environment[_REPORTS_VARIABLE] = str(reports)
        environment[_PATH_VARIABLE] = json.dumps(sys.path)
        if check is not None:
            environment["FERRY_CHECK"] = check if isinstance(check, str) else str(int(check))
        run = subprocess.run(
            _child_command(item),
            cwd=item.config.rootpath,
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )
        found = _read_reports(item.config, reports)
    if run.returncode in (0, 1, _EXIT_FINDINGS) and any(report.when == "teardown" for report in found):
        for report in found:
            if report.failed and run.stderr:
                report.sections.append(("Captured stderr of the process", run.stderr))
        return found
    text = (
        f"the process of the test ended with {run.returncode} before the test did\n{run.stdout}\n{run.stderr}"
    )
    return [*(report for report in found if report.when == "setup"), _report(item, "failed", text)]


def _child_command(item: pytest.Item) -> list[str]:
    config = item.config
    command = [sys.executable, "-c", _CHILD_SCRIPT, _PATH_VARIABLE]
    command += [item.nodeid, "-q", "--no-header", f"--rootdir={config.rootpath}"]
    if config.inipath is not None:
        command += ["-c", str(config.inipath)]
    # Plugins are named as they were in this process, so that none is loaded under two names.
    for option, name in (("-p", "plugins"), ("-o", "override_ini"), ("-W", "pythonwarnings")):
        for value in getattr(config.option, name, None) or ():
            command += [option, value]
    # Python's own output is captured for the test's report. Output of the library bypasses that: if the
    # process dies, it is all that is left.
    command += ["--capture=sys", "-p", "no:cacheprovider", f"--import-mode={config.getoption('importmode')}"]
    return command


class _ReportWriter:
    """In the child process: writes the reports of the test."""

    def __init__(self, config: pytest.Config, path: Path) -> None:
        self._config = config
        self._path = path

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        data = self._config.hook.pytest_report_to_serializable(config=self._config, report=report)
        with self._path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(data, default=str) + "\n")


def _read_reports(config: pytest.Config, path: Path) -> list[Any]:
    if not path.exists():
        return []
    reports = []
    for line in path.read_text(encoding="utf-8").splitlines():
        report = config.hook.pytest_report_from_serializable(config=config, data=json.loads(line))
        if isinstance(
            report.longrepr, list
        ):  # the place and reason of a skip: a tuple that JSON turned into a list
            report.longrepr = tuple(report.longrepr)
        reports.append(report)
    return reports


# ---- findings of the checker ----


def _await_tensors() -> None:
    """What PyTorch has queued belongs to the test that queued it, and so do the findings about it."""
    if "ferry.torch" not in sys.modules:
        return
    import torch

    if not torch.npu.is_initialized():
        return
    for device in range(torch.npu.device_count()):
        if device == torch.npu.current_device() or torch.npu.memory_reserved(device) > 0:
            torch.npu.synchronize(device)


class _FindingsWatch:
    """While the checker is on: fails the test, its setup or its teardown in which an error rule fired."""

    def __init__(self) -> None:
        self._errors = 0
        self._counts: list[int] = []  # findings of each kind at the last look; they only grow
        self._outside: list[str] = []

    def _look(self) -> str | None:
        """The text of the findings since the last look, or None."""
        from . import checker

        errors = checker.count()
        more = errors - self._errors
        if more == 0:
            return None
        self._errors = errors
        found = checker.findings()
        known = self._counts + [0] * (len(found) - len(self._counts))
        self._counts = [finding.count for finding in found]
        texts = [
            str(finding)
            for finding, count in zip(found, known)
            if finding.severity == "error" and not finding.suppressed and finding.count > count
        ]
        if not texts:  # the checker lists a limited number of places
            texts = [f"{more} more errors, at places that are not listed"]
        return "the check layer found:\n\n" + "\n\n".join(texts)

    def _look_outside(self) -> None:
        found = self._look()
        if found is not None:
            self._outside.append(found)

    def _watch(self, item: pytest.Item, phase: str) -> Generator[None, Any, None]:
        self._look_outside()
        outcome = yield
        if outcome.excinfo is None:
            try:
                _await_tensors()
            except Exception as error:
                outcome.force_exception(error)
        found = self._look()
        if found is None:
            return
        if outcome.excinfo is not None:  # it failed anyway
            item.add_report_section(phase, "check", found)
        else:
            outcome.force_exception(pytest.fail.Exception(found, pytrace=False))

    @pytest.hookimpl(hookwrapper=True, tryfirst=True)
    def pytest_runtest_setup(self, item: pytest.Item) -> Generator[None, Any, None]:
        yield from self._watch(item, "setup")

    @pytest.hookimpl(hookwrapper=True, tryfirst=True)
    def pytest_runtest_call(self, item: pytest.Item) -> Generator[None, Any, None]:
        yield from self._watch(item, "call")

    @pytest.hookimpl(hookwrapper=True, tryfirst=True)
    def pytest_runtest_teardown(self, item: pytest.Item) -> Generator[None, Any, None]:
        yield from self._watch(item, "teardown")

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """Findings outside of tests fail the run. So pytest's exit code is used whenever something went
        wrong; the library's own remains for a run that passed because a test expected to fail."""
        self._look_outside()
        if self._outside and session.exitstatus == pytest.ExitCode.OK:
            session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def pytest_terminal_summary(self, terminalreporter: Any) -> None:
        for found in self._outside:
            terminalreporter.section("outside of tests")
            terminalreporter.write_line(found)


# ---- fixtures ----


@pytest.fixture(scope="session")
def ferry_device_count() -> int:
    """The number of devices of this process."""
    import ferry

    return ferry.Device.count()


@pytest.fixture(scope="session")
def ferry_soc() -> str:
    """The product that this process emulates."""
    return _soc()


@pytest.fixture(scope="session")
def ferry_schedule() -> str:
    """When queued work runs in this process: "eager", "lazy", or "shuffle:" with its seed."""
    return _schedule()


@pytest.fixture
def ferry_device() -> Iterator[ferry.Device]:
    """Device 0, made current on the test's thread."""
    import ferry

    with ferry.Device(0) as device:
        yield device


@pytest.fixture
def ferry_stream(ferry_device: ferry.Device) -> Iterator[ferry.Stream]:
    """A stream on device 0; after the test it is synchronised, and failures on it are raised."""
    import ferry

    with ferry.Stream() as stream:
        yield stream


@pytest.fixture
def ferry_check() -> None:
    """Skips the test unless the checker is on."""
    from . import checker

    if not checker.is_on():
        pytest.skip("the check layer is off: use --ferry-check or the marker ferry(check=True)")
