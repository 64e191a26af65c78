# SPDX-License-Identifier: Apache-2.0
"""Tests of ferry.torch. They need torch and torch_npu; ./test --torch installs both and runs them."""

import importlib.util
import os
from collections import Counter, defaultdict

import pytest

# Read when the runtime starts.
os.environ.setdefault("FERRY_DEVICES", "cpu:2")
os.environ.setdefault("FERRY_MEMORY", "1G")

if importlib.util.find_spec("torch_npu"):
    # First of all: `import torch` imports torch_npu, which needs the libraries that this loads.
    import ferry.torch  # noqa: F401
else:
    collect_ignore_glob = ["test_*.py"]


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """A table of the files: how many tests passed, and how long they took."""
    outcomes = ("passed", "failed", "error", "skipped")
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    seconds: Counter[str] = Counter()
    for outcome in outcomes:
        for report in terminalreporter.getreports(outcome):
            file = os.path.basename(report.nodeid.partition("::")[0])
            counts[file][outcome] += 1
            seconds[file] += getattr(report, "duration", 0)
    terminalreporter.section("ferry.torch")
    terminalreporter.line(f"{'file':32} {' '.join(f'{name:>8}' for name in outcomes)} {'seconds':>8}")
    for file, found in sorted(counts.items()):
        numbers = " ".join(f"{found[name]:8}" for name in outcomes)
        terminalreporter.line(f"{file:32} {numbers} {seconds[file]:8.1f}")
