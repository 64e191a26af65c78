#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Lets a fuzz target of the preset fuzz search for inputs that break it, starting from its corpus.

Usage: run_fuzz.py TARGET CORPUS FAILURES. Runs for FUZZ_SECONDS, 30 by default. Inputs that it finds interesting are
thrown away at the end; one that fails is kept in the folder FAILURES.
"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

MOST_BYTES = 4096
ONE_INPUT_S = 60  # by the clock, and the machine may be busy
LINES_SHOWN = 60


def fuzz(target, corpus, failures, seconds):
    """Exit code and output of one run."""
    with tempfile.TemporaryDirectory() as found:
        done = subprocess.run(
            [
                target,
                f"-max_total_time={seconds}",
                f"-max_len={MOST_BYTES}",
                f"-timeout={ONE_INPUT_S}",
                f"-artifact_prefix={failures}/{target.name}-",
                found,
                corpus,
            ],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            check=False,
        )
    return done.returncode, done.stdout


def main():
    target, corpus, failures = (pathlib.Path(name).resolve() for name in sys.argv[1:4])
    seconds = int(os.environ.get("FUZZ_SECONDS", "30"))
    failures.mkdir(parents=True, exist_ok=True)
    code, output = fuzz(target, corpus, failures, seconds)
    if code == 0:
        print(f"{target.name}: {output.strip().splitlines()[-1]}")
        return
    print("\n".join(output.splitlines()[-LINES_SHOWN:]))
    written = re.findall(r"Test unit written to (\S+)", output)
    if written:
        print(f"to run it again: {target} {written[-1]}")
        print(f"to keep it as a test, once it is fixed: copy it to {corpus}")
    sys.exit(1)


if __name__ == "__main__":
    main()
