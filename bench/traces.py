#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures what docs/tracing.md promises about traces, and exits with 1 when a target is missed:

  cost      what recording adds to a copy (ferry bench trace)
  predict   predictions against runs (ferry bench predict)
  advice    the gain that advice predicts against the gain that ferry replay --as batch measures
  million   a million works: memory while they are recorded, time of the report
  page      the page of 100,000 works: its size, and how long a step of zooming and moving takes

Run it on an idle machine, with a build of the preset release: bench/traces.py [cost] [advice] ...
"""

import argparse
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests/tools"))
from browser import Browser, find_browser  # noqa: E402

MIB = 1 << 20
# Programs with one pattern each. The demo also moves everything with batches, which a replay repeats
# as they are.
PATTERNS = {
    "small copies": "ADVICE small-copies",
    "neighbours": "ADVICE neighbours",
    "kv cache": "FERRY demo --block-size 512 --rounds 2",
}
MILLION = "FERRY demo --block-size 512 --blocks 512 --layers 64 --rounds 15"
HUNDRED_THOUSAND = "FERRY demo --block-size 512 --blocks 256 --layers 50 --rounds 3"
# From the whole trace deep into it, along it, and back; the time of each step until it is drawn.
ZOOM_AND_MOVE = """(async () => {
  const { view } = ferry;
  view.fit(false);
  const { begin, end } = view;
  const span = end - begin;
  const times = [];
  const drawn = () => new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
  for (let step = 0; step < 120; step += 1) {
    const part = 1000 ** -(step < 60 ? step / 40 : 1.5 * (120 - step) / 60);
    const from = begin + (span - span * part) * step / 120;
    const start = performance.now();
    view.jump(from, from + span * part);
    await drawn();
    times.push(performance.now() - start);
  }
  return times;
})()"""


class Measurement:
    """Where programs are, and what was found."""

    def __init__(self, folder, ferry, advice, turns):
        self.names = {"FERRY": str(ferry), "ADVICE": str(advice)}
        self.folder = pathlib.Path(folder)
        self.turns = turns
        self.is_missed = False

    def run(self, *command, quiet=True):
        """Standard output of a program, which must succeed."""
        words = [self.names.get(str(word), str(word)) for word in command]
        output = subprocess.PIPE if quiet else None
        done = subprocess.run(words, stdout=output, stderr=output, text=True, check=False)
        if done.returncode != 0 and quiet:
            sys.exit(f"{' '.join(words)} ended with {done.returncode}\n{done.stderr}")
        return done.stdout if quiet else done.returncode

    def say(self, what, value, unit, target):
        is_met = value <= target
        self.is_missed |= not is_met
        print(f"{what:42} {value:10.3g} {unit:8} <= {target:<6g} {'met' if is_met else 'MISSED'}", flush=True)

    # ---- the questions ----

    def cost(self):
        self.is_missed |= self.run("FERRY", "bench", "trace", "--check", quiet=False) != 0

    def predict(self):
        self.is_missed |= self.run("FERRY", "bench", "predict", "--check", quiet=False) != 0

    def advice(self):
        """Profile, trace, advice and replay take turns, as the speed of machines changes."""
        gains = {name: [] for name in PATTERNS}
        profile = self.folder / "profile.json"
        for _ in range(self.turns):
            self.run("FERRY", "bench", "--profile", profile)
            for name, command in PATTERNS.items():
                gains[name].append(self.gains_of(command.split(), profile))
        for name, pairs in gains.items():
            predicted, measured = (statistics.median(column) / 1e3 for column in zip(*pairs, strict=True))
            print(f"{name}: advice predicts {predicted:.0f} us, replay measures {measured:.0f} us")
            self.say(f"{name}: advice against replay", abs(predicted / measured - 1), "off", 0.25)

    def gains_of(self, command, profile):
        trace = self.folder / "pattern.json"
        self.run("FERRY", "run", "--trace", trace, "--", *command)
        report = json.loads(self.run("FERRY", "report", "--json", "--profile", profile, trace))
        rules = [one["rule"] for one in report["advice"]]
        if len(rules) > 1:
            sys.exit(f"{command}: one advice is expected: {rules}")
        predicted = report["advice"][0]["gain_ns"] if rules else 0
        replay = json.loads(self.run("FERRY", "replay", "--as", "batch", "--json", trace))
        return predicted, replay["batch"]["gain_ns"]

    def million(self):
        copies = MILLION.split()
        trace = self.folder / "million.json"
        without = self.peak(copies)
        with_trace = self.peak(["FERRY", "run", "--trace", trace, "--", *copies])
        begin = time.monotonic()
        report = json.loads(self.run("FERRY", "report", "--no-limit", "--json", trace))
        works = report["total"]["works"]
        print(f"{works:,} works, {trace.stat().st_size / MIB:.0f} MiB, {report['trace']['dropped']} dropped")
        if works < 1_000_000 or report["trace"]["dropped"] != 0:
            sys.exit("a million works are expected, and none lost")
        self.say("report of a million works", time.monotonic() - begin, "s", 20)
        self.say("memory while they are recorded", (with_trace - without) / MIB, "MiB", 64)
        trace.unlink()

    def peak(self, command):
        """The most memory that a process had."""
        words = [self.names.get(str(word), str(word)) for word in command]
        with subprocess.Popen(words, stdout=subprocess.DEVNULL) as process:
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode != 0:
            sys.exit(f"{' '.join(words)} ended with {process.returncode}")
        return usage.ru_maxrss * 1024

    def page(self):
        copies = HUNDRED_THOUSAND.split()
        trace, page = self.folder / "page.json.gz", self.folder / "page.html"
        self.run("FERRY", "run", "--trace", trace, "--", *copies)
        self.run("FERRY", "report", "--no-limit", "--html", page, trace)
        works = json.loads(self.run("FERRY", "report", "--no-limit", "--json", trace))["total"]["works"]
        if works < 100_000:
            sys.exit(f"100,000 works are expected: {works}")
        self.say(f"page of {works:,} works", page.stat().st_size / 1e6, "MB", 15)
        program = find_browser()
        if program is None:
            print("no browser is installed: how fluent the page is was not measured")
            return
        with Browser(program) as browser:
            browser.open(page)
            times = sorted(browser.evaluate(ZOOM_AND_MOVE))
        print(f"a step takes {statistics.median(times):.1f} ms in the median, {times[-1]:.1f} ms at most")
        self.say("longest of 95 % of all steps", times[len(times) * 95 // 100], "ms", 50)


QUESTIONS = ("cost", "predict", "advice", "million", "page")


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("questions", nargs="*", metavar="QUESTION", help="all unless given")
    parser.add_argument("--ferry", type=pathlib.Path, default=ROOT / "build/release/tools/ferry/ferry")
    parser.add_argument(
        "--advice",
        type=pathlib.Path,
        default=ROOT / "build/ci/tests/tools/ferry_advice",
        help="the programs of tests/tools/programs/advice.cpp",
    )
    parser.add_argument("--turns", type=int, default=5, help="of advice, of which the medians count (5)")
    arguments = parser.parse_args()
    if unknown := set(arguments.questions) - set(QUESTIONS):
        parser.error(f"unknown: {', '.join(sorted(unknown))}; known: {', '.join(QUESTIONS)}")
    with tempfile.TemporaryDirectory(prefix="ferry_traces_") as folder:
        measurement = Measurement(folder, arguments.ferry, arguments.advice, arguments.turns)
        for question in arguments.questions or QUESTIONS:
            getattr(measurement, question)()
    return 1 if measurement.is_missed else 0


if __name__ == "__main__":
    sys.exit(main())
