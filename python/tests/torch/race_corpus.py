# SPDX-License-Identifier: Apache-2.0
"""The programs in races/: each has one race, and a corrected twin in the same file. Lines that end in
``# fixed`` are in the twin only, those that end in ``# racy`` in the racy program only. The comment on top
says which rule of the checker finds the race, which others may fire because of it, and what the report must
name."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent / "races"


@dataclass(frozen=True)
class Race:
    path: Path
    rules: tuple[str, ...]
    """The one that finds it; then those that may fire because of it."""
    names: tuple[str, ...]

    @staticmethod
    def of(path: Path) -> Race:
        lines = path.read_text().splitlines()

        def field(name: str) -> list[str]:
            return [line.removeprefix(f"# {name}: ") for line in lines if line.startswith(f"# {name}: ")]

        return Race(path, tuple(field("finds")), tuple(field("names")))

    def program(self, *, is_fixed: bool) -> str:
        left_out = "# racy" if is_fixed else "# fixed"
        lines = self.path.read_text().splitlines()
        # An empty line keeps the numbers of the others.
        return "\n".join("" if line.endswith(left_out) else line for line in lines)


@dataclass(frozen=True)
class Outcome:
    code: int
    errors: list[dict[str, Any]]
    """The checker's findings of severity error."""
    output: str


def races() -> list[Race]:
    return [Race.of(path) for path in sorted(FOLDER.glob("*.py"))]


def run_checked(race: Race, folder: Path, schedule: str, *, is_fixed: bool) -> Outcome:
    """Runs the program, or its twin, in a process of its own, under the checker."""
    script, report = folder / race.path.name, folder / "report.json"
    script.write_text(race.program(is_fixed=is_fixed))
    variables = {"FERRY_CHECK": "1", "FERRY_SCHEDULE": schedule, "FERRY_REPORT": str(report)}
    done = subprocess.run(
        [sys.executable, str(script)],
        env={**os.environ, **variables},
        capture_output=True,
        text=True,
        timeout=300,
    )
    found = json.loads(report.read_text())["findings"] if report.exists() else []
    errors = [finding for finding in found if finding["severity"] == "error"]
    return Outcome(done.returncode, errors, done.stdout + done.stderr)
