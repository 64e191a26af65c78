#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs the programs of the corpus under the checker and compares its reports with what they announce.

A program begins with lines of the form "// key: value":
  rule: NAME         the rule that must fire, and no other of severity error; "none": no rule at all
  schedule: VALUE    as for ferry run; by default the checker's default
  devices: VALUE     as for ferry run
  options: WORDS     more options for ferry run
  exit: CODE         default: 86 if the rule is an error, else 0
  places: COUNT      how many places in its source a report names; the default depends on the rule
  cpu: REASON        why the bug is seen on CPU devices only: on others it may go unreported

With --devices the programs run on devices of another backend.
"""

import argparse
import concurrent.futures
import fnmatch
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

CORPUS = pathlib.Path(__file__).resolve().parent / "corpus"
HEADER = re.compile(r"// (rule|schedule|devices|options|exit|places|cpu): (.+)")
NOTES = {"unaligned", "blocking-async", "unsynchronised-end", "leak"}
# The rules whose reports name two places: where it happened, and what it conflicts with.
TWO_PLACES = {
    "host-write-in-flight",
    "host-read-in-flight",
    "free-in-flight",
    "stream-race",
    "sync-copy-race",
    "out-of-bounds",
    "use-after-free",
    "wrong-context",
}
ERROR_EXIT = 86
TIMEOUT_S = 120
SEEDS = 5


class Program:
    """A program of the corpus: its path, and what it announces."""

    def __init__(self, source, folder, devices):
        lines = source.read_text(encoding="utf-8").splitlines()
        found = (HEADER.fullmatch(line) for line in lines[1:8])
        header = {match[1]: match[2].strip() for match in found if match}
        if "rule" not in header:
            sys.exit(f"{source}: no line '// rule: …' at its beginning")
        self.source = source.name
        self.name = source.stem
        self.path = folder / source.stem
        self.rule = header["rule"]
        is_error = self.rule != "none" and self.rule not in NOTES
        self.exit = int(header.get("exit", ERROR_EXIT if is_error else 0))
        self.places = int(header.get("places", 2 if self.rule in TWO_PLACES else 1))
        # Without guarded pages a write is seen by what it changed, not where it was made.
        if devices is not None and self.rule == "host-write-in-flight":
            self.places = 1
        self.options = header.get("options", "").split()
        self.schedule = ["--schedule", header["schedule"]] if "schedule" in header else []
        self.may_be_unseen = devices is not None and "cpu" in header
        wanted = header.get("devices", "cpu")
        if devices is not None:
            wanted = wanted.replace("cpu", devices)
        if wanted != "cpu":
            self.options += ["--devices", wanted]


def environment():
    """This process's environment without the variables that affect Ferry or the form of its reports.
    Where backends are found stays."""
    steering = ("FERRY_", "ASCEND_", "LD_")
    return {
        name: value
        for name, value in os.environ.items()
        if name == "FERRY_PLUGINS"
        or (not name.startswith(steering) and name != "GITHUB_ACTIONS")
    }


def run(command):
    """Exit code and output of a program; the code is None if it timed out."""
    try:
        done = subprocess.run(
            [str(word) for word in command],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            env=environment(),
            timeout=TIMEOUT_S,
            text=True,
            errors="replace",
            check=False,
        )
    except subprocess.TimeoutExpired as expired:
        return None, (expired.stdout or b"").decode(errors="replace")
    return done.returncode, done.stdout


def places_in(finding, source):
    """How many places of a finding have a frame with a line in the source file."""
    return sum(
        any(
            pathlib.PurePath(frame.get("file") or "").name == source and frame.get("line")
            for frame in place.get("frames", [])
        )
        for place in finding.get("places", [])
    )


def complaints_about(program, code, report):
    """What is wrong with one run, as texts; empty if everything is as announced."""
    if code is None:
        return [f"did not end within {TIMEOUT_S} s"]
    findings = [one for one in (report or {}).get("findings", []) if not one.get("suppressed")]
    if program.may_be_unseen and not findings:
        return []
    wrong = []
    if code != program.exit:
        wrong.append(f"exit code {code}, announced was {program.exit}")
    if report is None:
        return wrong + ["no report was written"]
    mine = [one for one in findings if one["rule"] == program.rule]
    others = [one for one in findings if one["rule"] != program.rule]
    if program.rule != "none":
        if not mine:
            wrong.append(f"{program.rule} did not fire")
        elif max(places_in(one, program.source) for one in mine) < program.places:
            wrong.append(f"no report names {program.places} place(s) in {program.source}")
        others = [one for one in others if one["severity"] == "error"]
    wrong += sorted({f"{one['rule']} fired: {one['sentence']}" for one in others})
    return wrong


def run_once(program, ferry):
    """Runs a program once; returns complaints and its output."""
    with tempfile.TemporaryDirectory(prefix="ferry_corpus_") as folder:
        path = pathlib.Path(folder) / "report.json"
        code, output = run(
            [ferry, "run", "--check", "--report", path, *program.schedule, *program.options]
            + ["--", program.path]
        )
        report = json.loads(path.read_text(encoding="utf-8")) if path.exists() else None
    return complaints_about(program, code, report), output


def run_seeds(program, ferry):
    """Runs a correct program under several shuffled schedules; returns complaints and its output."""
    code, output = run(
        [ferry, "run", "--check", "--repeat", SEEDS, *program.options, "--", program.path]
    )
    return ([] if code == 0 else [f"exit code {code} with --repeat {SEEDS}"]), output


def judge(program, ferry, runs):
    """Runs a program several times, up to the first wrong run."""
    for number in range(runs):
        wrong, output = run_once(program, ferry)
        if wrong:
            return [f"run {number + 1}: {text}" for text in wrong], output
    return run_seeds(program, ferry) if program.rule == "none" else ([], "")


def main():
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("folder", type=pathlib.Path, help="where the built programs are")
    options.add_argument("ferry", type=pathlib.Path, help="the program ferry")
    options.add_argument("--runs", type=int, default=5, help="how often each program runs")
    options.add_argument("--jobs", type=int, default=2, help="how many run at once")
    options.add_argument("--devices", help="a backend in the place of cpu, such as cuda")
    options.add_argument("--only", default="*", help="pattern of the names to run")
    options.add_argument("--verbose", action="store_true", help="show the output of failing programs")
    chosen = options.parse_args()

    sources = sorted(CORPUS.glob("*.cpp"))
    programs = [
        Program(source, chosen.folder, chosen.devices)
        for source in sources
        if fnmatch.fnmatch(source.stem, chosen.only)
    ]
    if not programs:
        sys.exit(f"no program matches {chosen.only}")
    failed = 0
    with concurrent.futures.ThreadPoolExecutor(chosen.jobs) as pool:
        verdicts = pool.map(lambda one: judge(one, chosen.ferry, chosen.runs), programs)
        for program, (wrong, output) in zip(programs, verdicts):
            failed += bool(wrong)
            for text in wrong:
                print(f"{program.source}: {text}", flush=True)
            if wrong and chosen.verbose:
                print(output, flush=True)
    print(f"{len(programs) - failed} of {len(programs)} programs are reported as announced")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
