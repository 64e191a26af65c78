# SPDX-License-Identifier: Apache-2.0
"""The checker finds the race of each program of races/, and nothing in the corrected twins."""

from pathlib import Path

import pytest
from race_corpus import Race, races, run_checked

# A race is found in each of them: what is ordered with what does not depend on the schedule.
SCHEDULES = ("lazy", "lazy", "eager", "shuffle:1", "shuffle:2")
FOUND = 86  # the exit code of a program that would have exited with 0

RACES = pytest.mark.parametrize("race", races(), ids=lambda race: race.path.stem)


def test_there_are_enough_programs() -> None:
    assert len(races()) >= 12


@RACES
@pytest.mark.parametrize("schedule", SCHEDULES)
def test_the_race_is_found_in_every_run(race: Race, schedule: str, tmp_path: Path) -> None:
    outcome = run_checked(race, tmp_path, schedule, is_fixed=False)
    assert outcome.code == FOUND, outcome.output
    fired = {error["rule"] for error in outcome.errors}
    assert race.rules[0] in fired, outcome.output
    assert fired <= set(race.rules), outcome.output
    report = "\n".join(map(str, outcome.errors))
    for name in race.names:
        assert name in report, outcome.output
    places = [place for error in outcome.errors for place in error["places"]]
    files = {str(frame["file"]) for place in places for frame in place["script"]}
    assert any(file.endswith(race.path.name) for file in files), outcome.output


@RACES
@pytest.mark.parametrize("schedule", ["lazy", "shuffle:1"])
def test_nothing_is_found_in_the_corrected_twin(race: Race, schedule: str, tmp_path: Path) -> None:
    outcome = run_checked(race, tmp_path, schedule, is_fixed=True)
    assert outcome.code == 0, outcome.output
    assert outcome.errors == []
