#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Shows that the checker costs nothing when it is off: counts the instructions of small copies with
callgrind, and looks for functions of the checker among them. In a run under the checker the same search
must find some, or it would prove nothing."""

import argparse
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

CALLS = ("aclrtMemcpyAsync", "aclrtSynchronizeStream")
CHECKER = "ferry::layers::check::"
FEW, MANY = 1000, 3000  # copies; one-time work is in both
SKIPPED = 77


class Profile:
    """What callgrind counted inside the calls of one run."""

    def __init__(self, program, copies, environment):
        with tempfile.TemporaryDirectory() as folder:
            out = pathlib.Path(folder) / "out"
            done = subprocess.run(
                ["valgrind", "--tool=callgrind", f"--callgrind-out-file={out}"]
                + [f"--toggle-collect={call}" for call in CALLS]
                + [program, str(copies)],
                env=os.environ | {"FERRY_SCHEDULE": "lazy"} | environment,
                capture_output=True,
                text=True,
                check=False,
            )
            if done.returncode != 0:
                sys.exit(f"{program} {copies} ended with {done.returncode}\n{done.stderr}")
            text = out.read_text(encoding="utf-8", errors="replace")
        self.instructions = int(re.search(r"(?m)^(?:totals|summary): (\d+)", text)[1])
        self.functions = set(re.findall(r"(?m)^c?fn=\(\d+\) (.+)$", text))

    def of_checker(self):
        return sorted(name for name in self.functions if CHECKER in name)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("program", help="small_copies")
    program = parser.parse_args().program
    if shutil.which("valgrind") is None:
        print("skipped: valgrind is not installed")
        return SKIPPED

    few, many = (Profile(program, copies, {}) for copies in (FEW, MANY))
    each = (many.instructions - few.instructions) / (MANY - FEW)
    print(f"off: {each:.0f} instructions per copy and wait, {len(many.of_checker())} functions of it")
    checked = Profile(program, FEW, {"FERRY_CHECK": "1"})
    print(f"on: {checked.instructions / FEW:.0f} instructions, {len(checked.of_checker())} functions of it")

    if not checked.of_checker():
        print(f"failed: no name begins with {CHECKER}; was the library stripped?")
        return 1
    if many.of_checker():
        print("failed: in the path while off:", *many.of_checker(), sep="\n  ")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
