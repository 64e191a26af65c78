# SPDX-License-Identifier: Apache-2.0
"""The checker's findings in this process: misuse of memory and streams, with the places where it happened.
The checker is on when the process was started with FERRY_CHECK=1.

>>> import ferry
>>> ferry.checker.count("stream-race")
0
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from . import _native


@dataclass(frozen=True)
class Frame:
    """One frame of a stack. file and line are None where they are unknown."""

    function: str
    file: str | None
    line: int | None

    def __str__(self) -> str:
        place = "" if self.file is None else f"  {self.file}:{self.line}"
        return f"{self.function or '?'}{place}"


@dataclass(frozen=True)
class Place:
    """A place involved in a finding.

    role: what happened there. work: what was submitted, such as an operator of PyTorch with its shapes, or
    "". function: the C function, or "" outside of one. script: the Python stack. native: the C and C++
    stack. Innermost frames come first.
    """

    role: str
    work: str
    function: str
    script: tuple[Frame, ...]
    native: tuple[Frame, ...]

    def __str__(self) -> str:
        head = self.role + (f": {self.work}" if self.work else "")
        head += f", in {self.function}" if self.function else ""
        return "\n".join([f"{head}:", *(f"  {frame}" for frame in self.script or self.native)])


@dataclass(frozen=True)
class Finding:
    """One finding of a rule; repetitions at the same places are counted in it.

    severity: "error" or "note". sentence: what happened. places: where it happened, and the other places
    involved. advice: what to do. code: what the call returned, if the finding explains that. count: how
    often it occurred. suppressed: whether a suppressions file lists it.
    """

    rule: str
    severity: str
    sentence: str
    places: tuple[Place, ...]
    advice: str
    code: int | None
    count: int
    suppressed: bool

    def __str__(self) -> str:
        head = f"{self.severity}: {self.rule}"
        return "\n".join([head, self.sentence, *map(str, self.places), f"what to do: {self.advice}"])


def is_on() -> bool:
    """Whether the checker is on.

    >>> import ferry, os
    >>> ferry.checker.is_on() == (os.environ.get("FERRY_CHECK", "0") not in ("", "0"))
    True
    """
    return bool(_native.check_report())


def count(rule: str | None = None) -> int:
    """How often a rule has fired, or all rules of severity "error" together. Suppressed findings do not
    count. 0 while the checker is off.

    >>> import ferry
    >>> ferry.checker.count("no-such-rule")
    Traceback (most recent call last):
    ferry.errors.InvalidArgumentError: [100000 INVALID_PARAM] ferryCheckCount: no-such-rule is no rule...
    """
    return _native.check_count(rule)


def findings() -> list[Finding]:
    """All findings so far, in order of occurrence; empty while the checker is off.

    >>> import ferry
    >>> [finding.sentence for finding in ferry.checker.findings() if finding.rule == "stream-race"]
    []
    """
    report = _native.check_report()
    return [_finding(found) for found in json.loads(report)["findings"]] if report else []


def _finding(found: dict[str, Any]) -> Finding:
    return Finding(
        rule=found["rule"],
        severity=found["severity"],
        sentence=found["sentence"],
        places=tuple(map(_place, found["places"])),
        advice=found["advice"],
        code=found["code"],
        count=found["count"],
        suppressed=found["suppressed"],
    )


def _place(place: dict[str, Any]) -> Place:
    return Place(
        place["role"], place["work"], place["function"], _frames(place["script"]), _frames(place["frames"])
    )


def _frames(frames: list[dict[str, Any]]) -> tuple[Frame, ...]:
    return tuple(Frame(frame["function"], frame["file"], frame["line"]) for frame in frames)
