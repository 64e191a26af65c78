# SPDX-License-Identifier: Apache-2.0
"""A pytest plugin for code that copies to and from devices.

The library reads its settings once in a process. So there are two ways to choose them. For a whole run:

    pytest --ferry-devices cpu:4 --ferry-schedule lazy --ferry-soc Ascend310P3

and for single tests, each of which then runs in a fresh process of its own:

    @pytest.mark.ferry(devices="cpu:2", schedule="shuffle:1")
    def test_transfer(ferry_device_count):
        assert ferry_device_count == 2

Fixtures: ferry_device_count, ferry_soc and ferry_schedule tell what this process has; ferry_device and
ferry_stream are ready to be used; ferry_check is for tests that make sense only while the check layer is
on. Whenever it is on, a test fails if it caused reports.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    import ferry

# Option or argument of the marker -> variable of the library.
SETTINGS = {
    "devices": "FERRY_DEVICES",
    "soc": "FERRY_SOC",
    "schedule": "FERRY_SCHEDULE",
    "memory": "FERRY_MEMORY",
    "threads": "FERRY_THREADS",
    "fail": "FERRY_FAIL",
}

# Tells a process that it runs one test for another one, and where to write what came of it.
_REPORTS_VARIABLE = "PYTEST_FERRY_REPORTS"

# The other process imports from the same places as this one, however this one was started.
_PATH_VARIABLE = "PYTEST_FERRY_PATH"
_CHILD_SCRIPT = (
    "import json, os, sys; sys.path[:] = json.loads(os.environ[sys.argv.pop(1)]); "
    "import pytest; sys.exit(pytest.main(sys.argv[1:]))"
)


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("ferry", "devices for AscendCL memory copies")
    for name, variable in SETTINGS.items():
        group.addoption(f"--ferry-{name}", metavar="VALUE", help=f"sets {variable} for the whole run")
    group.addoption(
        "--ferry-check", action="store_true", help="turns the check layer on: its reports fail tests"
    )


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line(
        "markers",
        f"ferry({', '.join(SETTINGS)}, check): run the test in a fresh process with these settings",
    )
    reports = os.environ.get(_REPORTS_VARIABLE)
    if reports is not None:
        config.pluginmanager.register(_ReportWriter(config, Path(reports)), "ferry-report-writer")
        return
    chosen = {name: value for name in SETTINGS if (value := config.getoption(f"ferry_{name}")) is not None}
    for name, value in chosen.items():
        os.environ[SETTINGS[name]] = value
    if config.getoption("ferry_check"):
        reason = why_no_checker()
        if reason is not None:
            raise pytest.UsageError(f"--ferry-check: {reason}")
        folder = tempfile.mkdtemp(prefix="ferry-check-")
        config.add_cleanup(lambda: shutil.rmtree(folder, ignore_errors=True))
        os.environ.update(_check_settings(Path(folder) / "reports"))
    if chosen:
        _require_settings(chosen)


# ---- settings ----


def _require_settings(chosen: dict[str, str]) -> None:
    """The library may have been used, and so have read other settings, before this plugin was configured."""
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


def _schedule() -> str:
    from . import _native

    name, seed = _native.schedule()
    return f"{name}:{seed}" if name == "shuffle" else name


def _soc() -> str:
    import acl

    return acl.get_soc_name() or ""


def _check_settings(reports: Path) -> dict[str, str]:
    return {"FERRY_CHECK": "1", "FERRY_REPORT": str(reports)}


_checker: dict[str, str | None] = {}


def why_no_checker() -> str | None:
    """Why the check layer cannot be turned on, or None if it can. It is tried out in a process of its own."""
    if "reason" not in _checker:
        environment = {**os.environ, "FERRY_CHECK": "1"}
        script = "import ferry; ferry.Device(0).activate()"
        run = subprocess.run(
            [sys.executable, "-c", script], env=environment, capture_output=True, text=True, check=False
        )
        lines = run.stderr.strip().splitlines()
        failed = f"the library has no check layer ({lines[-1] if lines else 'no reason is given'})"
        _checker["reason"] = None if run.returncode == 0 else failed
    return _checker["reason"]


# ---- tests with settings of their own: a fresh process for each ----


def _marker_settings(item: pytest.Item) -> dict[str, Any] | None:
    """What the markers of a test ask for; the nearest one wins."""
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
    # The test before left set up what this one was to share with it.
    item.session._setupstate.teardown_exact(nextitem)
    return True


def _report(item: pytest.Item, outcome: Any, text: Any) -> pytest.TestReport:
    return pytest.TestReport(item.nodeid, item.location, {}, outcome, text, "call")


def _run_in_child(item: pytest.Item, settings: dict[str, Any]) -> list[Any]:
    settings = dict(settings)
    wants_check = settings.pop("check", False)
    reason = why_no_checker() if wants_check else None
    if reason is not None:
        return [_report(item, "skipped", (str(item.path), item.location[1] or 0, f"Skipped: {reason}"))]
    with tempfile.TemporaryDirectory(prefix="ferry-pytest-") as folder:
        reports = Path(folder) / "reports"
        environment = dict(os.environ)
        environment.update({SETTINGS[name]: str(value) for name, value in settings.items()})
        environment[_REPORTS_VARIABLE] = str(reports)
        environment[_PATH_VARIABLE] = json.dumps(sys.path)
        if wants_check:
            environment.update(_check_settings(Path(folder) / "check"))
        run = subprocess.run(
            _child_command(item),
            cwd=item.config.rootpath,
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )
        found = _read_reports(item.config, reports)
    if run.returncode in (0, 1) and any(report.when == "teardown" for report in found):
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
    # Plugins are named the same way again, so that none is loaded under two names.
    for option, name in (("-p", "plugins"), ("-o", "override_ini"), ("-W", "pythonwarnings")):
        for value in getattr(config.option, name, None) or ():
            command += [option, value]
    # Python's own output belongs to the report of the test. What the library says goes past it: if the
    # process dies, only that is left.
    command += ["--capture=sys", "-p", "no:cacheprovider", f"--import-mode={config.getoption('importmode')}"]
    return command


class _ReportWriter:
    """In the process of a test: writes down what came of it."""

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
        ):  # the place and reason of a skip, a tuple before it was written as JSON
            report.longrepr = tuple(report.longrepr)
        reports.append(report)
    return reports


# ---- fixtures ----


@pytest.fixture(scope="session")
def ferry_device_count() -> int:
    """How many devices this process has."""
    import ferry

    return ferry.Device.count()


@pytest.fixture(scope="session")
def ferry_soc() -> str:
    """The product that this process plays."""
    return _soc()


@pytest.fixture(scope="session")
def ferry_schedule() -> str:
    """When queued work runs in this process: "eager", "lazy", or "shuffle:" with its seed."""
    return _schedule()


@pytest.fixture
def ferry_device() -> Iterator[ferry.Device]:
    """Device 0, chosen for the thread of the test."""
    import ferry

    with ferry.Device(0) as device:
        yield device


@pytest.fixture
def ferry_stream(ferry_device: ferry.Device) -> Iterator[ferry.Stream]:
    """A stream on device 0; it is synchronised, and what failed on it is raised, after the test."""
    import ferry

    with ferry.Stream() as stream:
        yield stream


@pytest.fixture
def ferry_check() -> None:
    """Skips the test, and says why, unless the check layer is on."""
    if os.environ.get("FERRY_CHECK", "0") in ("", "0"):
        pytest.skip(
            why_no_checker() or "the check layer is off: use --ferry-check or the marker ferry(check=True)"
        )


@pytest.fixture(autouse=True)
def _ferry_fail_on_reports() -> Iterator[None]:
    path = os.environ.get("FERRY_REPORT")
    if not path:
        yield
        return
    before = _size(path)
    yield
    if _size(path) > before:
        with open(path, encoding="utf-8", errors="replace") as file:
            file.seek(before)
            pytest.fail("the check layer reports:\n" + file.read(), pytrace=False)


def _size(path: str) -> int:
    return os.path.getsize(path) if os.path.exists(path) else 0
