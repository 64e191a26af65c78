#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks the READMEs of src/: every folder with sources has one, it fits a screen, and its table names what exists.

Usage: check_readmes.py REPOSITORY. Exits with 1 and one line per fault. A name in the first column of a table is a
file, a folder, or a file without its suffix; `*` stands for anything. The folder of a rule of the checker has its page
in docs/rules instead.
"""
import pathlib
import re
import sys

SOURCES = (".h", ".cpp", ".cu", ".cuh", ".def")
MOST_LINES = 40
MOST_COLUMNS = 120
RULES = "src/layers/check/rules"
NAME = re.compile(r"`([^`]+)`|\[([^]]+)\]\(")


def folders_with_sources(root):
    """All folders of src/ that hold sources, and those between."""
    found = {path.parent for path in (root / "src").rglob("*") if path.suffix in SOURCES}
    return sorted(found | {folder for path in found for folder in path.parents if folder.is_relative_to(root / "src")})


def names_of(text):
    """What the first columns of the tables name."""
    for line in text.splitlines():
        if line.startswith("| "):
            for name in NAME.finditer(line.split("|")[1]):
                yield name.group(1) or name.group(2)


def exists(folder, name):
    """Whether a name stands for something in the folder."""
    pattern = f"*{name}" if name.startswith(".") else name
    return any(folder.glob(pattern)) or any(folder.glob(f"{pattern}.*"))


def faults_of(folder, shown):
    """What is wrong with the README of one folder, which is called `shown`."""
    readme = folder / "README.md"
    if not readme.exists():
        yield f"{shown} has no README.md: what is there, which code calls it, which invariants hold"
        return
    text = readme.read_text(encoding="utf-8")
    if len(text.splitlines()) > MOST_LINES:
        yield f"{shown}/README.md has {len(text.splitlines())} lines, allowed are {MOST_LINES}: one screen"
    if "nvariant" not in text:
        yield f"{shown}/README.md states no invariant"
    for number, line in enumerate(text.splitlines(), 1):
        if len(line) > MOST_COLUMNS and not line.startswith("|"):
            yield f"{shown}/README.md:{number} has {len(line)} columns, allowed are {MOST_COLUMNS}"
    for name in names_of(text):
        if not exists(folder, name):
            yield f"{shown}/README.md names {name}, which is not in {shown}"


def main():
    """Prints what is wrong."""
    root = pathlib.Path(sys.argv[1]).resolve()
    here = pathlib.Path(__file__).resolve()
    assert list(names_of("| `a`, `b.h` | c `d` |\n|---|\n| [e](e/README.md) | f |\n`g`")) == ["a", "b.h", "e"]
    assert all(exists(here.parent, name) for name in ("check_readmes", "check_readmes.py", ".py", "check_*"))
    assert not exists(here.parent, "check_read")
    wrong = []
    for folder in folders_with_sources(root):
        shown = str(folder.relative_to(root))
        if not shown.startswith(f"{RULES}/"):
            wrong += faults_of(folder, shown)
        elif not (root / "docs/rules" / f"{folder.name}.md").exists():
            wrong.append(f"{shown} has no page docs/rules/{folder.name}.md")
    print("\n".join(wrong))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
