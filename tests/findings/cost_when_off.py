#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Shows that the checker and traces cost nothing when they are off: counts the instructions of small copies
with callgrind, and looks for functions of either among them. In a run with the checker, or with a trace, the
same search must find some, or it would prove nothing."""

import argparse
import os
import pathlib
import re
import shutil
import statistics
import subprocess
import sys
import tempfile

CALLS = ("aclrtMemcpyAsync", "aclrtSynchronizeStream")
# Where their functions are, and what switches them on. FOLDER goes with the run.
PARTS = {
    "checker": ("ferry::layers::check::", "FERRY_CHECK", "1"),
    "trace": ("ferry::layers::trace::", "FERRY_TRACE", "FOLDER/out.json"),
}
FEW, MANY = 1000, 3000  # copies; one-time work is in both
SKIPPED = 77


class Profile:
    """What callgrind counted inside the calls of one run."""

    def __init__(self, program, copies, **variables):
        with tempfile.TemporaryDirectory() as folder:
            out = pathlib.Path(folder) / "out"
            added = {name: value.replace("FOLDER", folder) for name, value in variables.items()}
            done = subprocess.run(
                ["valgrind", "--tool=callgrind", f"--callgrind-out-file={out}"]
                + [f"--toggle-collect={call}" for call in CALLS]
                + [program, str(copies)],
                env=os.environ | {"FERRY_SCHEDULE": "lazy"} | added,
                capture_output=True,
                text=True,
                check=False,
            )
            if done.returncode != 0:
                sys.exit(f"{program} {copies} ended with {done.returncode}\n{done.stderr}")
            text = out.read_text(encoding="utf-8", errors="replace")
        self.instructions = int(re.search(r"(?m)^(?:totals|summary): (\d+)", text)[1])
        self.functions = set(re.findall(r"(?m)^c?fn=\(\d+\) (.+)$", text))

    def functions_of(self, space):
        return sorted(name for name in self.functions if space in name)


def per_copy(program, runs):
    """Instructions per copy and wait: the median of some runs, and the functions of the last one."""
    counts = []
    for _ in range(runs):
        few, many = (Profile(program, copies) for copies in (FEW, MANY))
        counts.append((many.instructions - few.instructions) / (MANY - FEW))
    return statistics.median(counts), many


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("program", help="small_copies")
    parser.add_argument("--runs", type=int, default=1, help="runs of which the median counts (1)")
    arguments = parser.parse_args()
    if shutil.which("valgrind") is None:
        print("skipped: valgrind is not installed")
        return SKIPPED

    each, off = per_copy(arguments.program, arguments.runs)
    print(f"all off: {each:.0f} instructions per copy and wait")
    is_right = True
    for part, (space, variable, value) in PARTS.items():
        on = Profile(arguments.program, FEW, **{variable: value})
        print(f"{part} on: {on.instructions / FEW:.0f}, in {len(on.functions_of(space))} of its functions")
        if not on.functions_of(space):
            print(f"failed: no name begins with {space}; was the library stripped?")
            is_right = False
        if off.functions_of(space):
            print(f"failed: {part} is in the path while off:", *off.functions_of(space), sep="\n  ")
            is_right = False
    return 0 if is_right else 1


if __name__ == "__main__":
    sys.exit(main())
