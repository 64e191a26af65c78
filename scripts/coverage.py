#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Prints how much of src the tests reach, as llvm-cov counts it, and fails when it is too little.

Usage: coverage.py BUILD. BUILD is a folder that was built with the preset coverage, and whose tests have run
with LLVM_PROFILE_FILE=BUILD/profiles/%m%c.profraw: one file per binary (%m), to which all processes add while
they run (%c). BUILD/coverage.txt gets the lines that no test reaches, and the conditions that are never true
or never false. tests/coverage/excluded.txt lists files that are not counted, and why; unreached.txt beside it
says of single blocks why no test reaches them.

It fails when the percentages are too low, when a line is neither reached nor explained, and when a line is
reached although unreached.txt says that no test reaches it.

A condition inside a macro counts at each use: FERRY_RETURN_IF_ERROR(call) wants a call that fails and one
that succeeds.
"""

import json
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
EXCLUDED = ROOT / "tests/coverage/excluded.txt"
UNREACHED = ROOT / "tests/coverage/unreached.txt"
# All of src that runs without a GPU: the libraries, plugins and companions, and the unit tests.
OBJECTS = ("src/lib*.so", "tests/unit/ferry_unit")
TARGETS = {"lines": 95.0, "branches": 85.0}
SHOWN = 20  # files, and lines
SOMETIMES = "sometimes: "  # begins the reason of lines that a run may reach: by luck, or on another processor


def excluded():
    """The paths that are not counted."""
    paths = []
    for line in EXCLUDED.read_text(encoding="utf-8").splitlines():
        if not line or line.startswith("#"):
            continue
        path, _, reason = (part.strip() for part in line.partition(": "))
        if not (ROOT / path).exists() or not reason:
            sys.exit(f"{EXCLUDED}: {line!r} is not the path of a file or folder, a colon and a reason")
        paths.append(ROOT / path)
    return paths


def unreached():
    """Lines known to be out of reach, which lead a block of such lines: path and text, and the reason."""
    known = {}
    for line in UNREACHED.read_text(encoding="utf-8").splitlines():
        if not line or line.startswith("#"):
            continue
        path, _, rest = line.partition(" | ")
        text, _, reason = rest.rpartition(" | ")
        source = (ROOT / path).read_text(encoding="utf-8").splitlines()
        if text not in map(str.strip, source) or not reason:
            sys.exit(f"{UNREACHED}: {line!r} is not a path, a line of that file and a reason")
        known[path, text] = reason
    return known


def llvm(tool, *arguments):
    """Runs a tool of the compiler that the preset uses, and returns what it prints."""
    command = [f"llvm-{tool}-14", *map(str, arguments)]
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout


def counted_files(build):
    """What llvm-cov knows about each file of src that counts."""
    profiles = sorted((build / "profiles").glob("*.profraw"))
    if not profiles:
        sys.exit(f"{build}/profiles is empty: no test has run")
    merged = build / "coverage.profdata"
    llvm("profdata", "merge", "-o", merged, *profiles)
    objects = (path for pattern in OBJECTS for path in sorted(build.glob(pattern)))
    first, *others = (path for path in objects if not path.is_symlink())
    options = [option for other in others for option in ("-object", other)]
    report = json.loads(
        llvm("cov", "export", first, *options, f"-instr-profile={merged}", "-skip-expansions")
    )
    left_out = excluded()
    for file in report["data"][0]["files"]:
        path = pathlib.Path(file["filename"])
        if path.is_relative_to(ROOT / "src") and not any(path.is_relative_to(other) for other in left_out):
            yield str(path.relative_to(ROOT)), file


def uncounted(files):
    """Sources that are neither counted nor excluded: no test can have reached them."""
    left_out = excluded()
    for path in sorted((ROOT / "src").rglob("*.c*")):
        if path.suffix not in (".cpp", ".cu") or any(path.is_relative_to(other) for other in left_out):
            continue
        if str(path.relative_to(ROOT)) not in files:
            yield f"{path.relative_to(ROOT)} is in no program that runs tests: list it in {EXCLUDED}"


def missed_lines(segments):
    """The lines whose code never ran. A segment extends to the next one, and may have no count."""
    missed, reached = set(), set()
    for (line, _, count, has_count, *_), (next_line, next_column, *_) in zip(segments, segments[1:]):
        if not has_count:
            continue
        last = next_line if next_column > 1 else next_line - 1
        (reached if count else missed).update(range(line, last + 1))
    return sorted(missed - reached)


def source_of(path, file):
    """The lines of a file; they must be those that were compiled."""
    source = (ROOT / path).read_text(encoding="utf-8").splitlines()
    last = max((place[0] for place in [*file["segments"], *file["branches"]]), default=0)
    if last > len(source) + 1:
        sys.exit(f"{path} has changed since it was compiled: build and test again")
    return source


def lines_out_of_reach(path, file):
    """Number and text of each line that is not reached."""
    source = source_of(path, file)
    for line in missed_lines(file["segments"]):
        yield line, source[line - 1].strip() if line <= len(source) else ""


def unexplained(path, file, known):
    """One text per line that is not reached, without the blocks that the list explains."""
    before, is_known = 0, False
    for line, text in lines_out_of_reach(path, file):
        is_known = (path, text) in known or (is_known and line == before + 1)
        before = line
        if text not in ("", "}") and not text.startswith("//") and not is_known:
            yield f"{path}:{line}: not reached: {text}"


def outdated(files, known):
    """One text per explanation of a line that is always reached."""
    for (path, text), reason in known.items():
        missed = lines_out_of_reach(path, files[path]) if path in files else ()
        if not reason.startswith(SOMETIMES) and text not in (other for _, other in missed):
            yield f"{path}: {text!r} is reached: remove it from {UNREACHED.relative_to(ROOT)}"


def one_sided_conditions(path, file):
    """One text per outcome of a condition that was never seen, where the other one was."""
    source = source_of(path, file)
    seen = {}
    for line, column, end_line, end_column, when_true, when_false, *_ in file["branches"]:
        sums = seen.setdefault((line, column, end_line, end_column), [0, 0])
        sums[0] += when_true
        sums[1] += when_false
    for (line, column, end_line, end_column), sums in sorted(seen.items()):
        condition = source[line - 1][column - 1 : end_column - 1 if end_line == line else None]
        for outcome, count in zip(("true", "false"), sums):
            if count == 0 and any(sums):
                yield f"{path}:{line}: never {outcome}: {condition}"


def row(name, summaries):
    """A line of the table, and the percentages by kind."""
    cells, reached = [], {}
    for kind in TARGETS:
        total = sum(summary[kind]["count"] for summary in summaries)
        missed = total - sum(summary[kind]["covered"] for summary in summaries)
        reached[kind] = 100.0 * (total - missed) / total if total else 100.0
        cells.append(f"{total:>9} {missed:>7} {reached[kind]:>7.2f} %")
    return f"{name:<52}{''.join(cells)}", reached


def main():
    """Prints the files with most misses, and the sum."""
    build = pathlib.Path(sys.argv[1]).resolve()
    files = dict(counted_files(build))
    known = unreached()
    lines = [text for path in sorted(files) for text in unexplained(path, files[path], known)]
    conditions = [text for path in sorted(files) for text in one_sided_conditions(path, files[path])]
    (build / "coverage.txt").write_text("\n".join(lines + conditions) + "\n", encoding="utf-8")

    def not_covered(path):
        return sum(
            files[path]["summary"][kind]["count"] - files[path]["summary"][kind]["covered"]
            for kind in TARGETS
        )

    print(f"{'':<52}{'lines':>9} {'missed':>7}{'':>10}{'branches':>9} {'missed':>7}")
    for path in sorted(files, key=not_covered, reverse=True)[:SHOWN]:
        print(row(path, [files[path]["summary"]])[0])
    text, reached = row("src", [file["summary"] for file in files.values()])
    print(text)
    wrong = [*lines[:SHOWN], *outdated(files, known), *uncounted(files)]
    if lines:
        wrong.append(f"{len(lines)} lines are neither reached nor explained in {UNREACHED.relative_to(ROOT)}")
    wrong += [
        f"{reached[kind]:.2f} % of the {kind} are reached, {target:.0f} % are required"
        for kind, target in TARGETS.items()
        if reached[kind] < target
    ]
    print(*wrong, f"Lines and conditions that no test reaches: {build}/coverage.txt", sep="\n")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
