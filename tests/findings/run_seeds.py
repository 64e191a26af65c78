#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs the conformance tests under the checker with many shuffled schedules, one seed after the other. Exits
with 1 when a run failed, and says which. Exit code 86 is not a failure: the tests themselves distinguish
intentional rule violations from others."""

import argparse
import os
import subprocess
import sys
import time

PASSED = (0, 86)


def failures_in(output):
    """The lines in which GoogleTest reports failures, with their details."""
    lines = output.splitlines()
    shown = set()
    for i, line in enumerate(lines):
        if ": Failure" in line:
            shown.update(range(i, i + 6))
        elif line.startswith("[  FAILED  ]"):
            shown.add(i)
    return [lines[i] for i in sorted(shown) if i < len(lines)]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--first", type=int, default=1)
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("program", help="unknown arguments are passed to it")
    arguments, own = parser.parse_known_args()

    failed = []
    begin = time.monotonic()
    for done, seed in enumerate(range(arguments.first, arguments.first + arguments.count), 1):
        run = subprocess.run(
            [arguments.program, *own],
            env=os.environ | {"FERRY_CHECK": "1", "FERRY_SCHEDULE": f"shuffle:{seed}"},
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            errors="replace",
            check=False,
        )
        if run.returncode not in PASSED:
            failed.append(seed)
            print(f"seed {seed} ended with {run.returncode}", *failures_in(run.stdout), sep="\n", flush=True)
        elapsed = time.monotonic() - begin
        print(f"{done} of {arguments.count} seeds, {len(failed)} failed, {elapsed:.0f} s", flush=True)
    if failed:
        print("failed with the seeds", *failed)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
