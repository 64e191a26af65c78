#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes docs/backend_slots.md, the table of what a backend implements, from include/ferry/backend_slots.def.

Usage: backend_slots.py --write | --check. --check exits with 1 when the page is not what --write would make.
"""

import argparse
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
LIST = pathlib.Path("include/ferry/backend_slots.def")
PAGE = pathlib.Path("docs/backend_slots.md")

COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
SLOT = re.compile(
    r"FERRYX_SLOT\((?P<result>[^,]+),\s*(?P<name>\w+),\s*\((?P<parameters>[^()]*)\),\s*"
    r'(?P<need>REQUIRED|OPTIONAL),\s*(?P<what>(?:"(?:[^"\\]|\\.)*"\s*)+)\)'
)
TEXT = re.compile(r'"((?:[^"\\]|\\.)*)"')

HEAD = """<!-- SPDX-License-Identifier: Apache-2.0 -->
<!-- Generated from include/ferry/backend_slots.def by scripts/backend_slots.py --write. -->
# The slots of a backend

Each row is one member of the table `ferryx_backend`, in its order. Functions that return `int` return an `aclError`.
The types, and the rules that hold for all slots, are in `include/ferry/backend.h`. The guide is
[adding_a_backend.md](adding_a_backend.md).

| slot | signature | need | what it does |
|---|---|---|---|
"""


def rows(text):
    """The rows of the table; fails when an entry of the list is not understood."""
    bare = COMMENT.sub("", text)
    slots = list(SLOT.finditer(bare))
    if len(slots) != bare.count("FERRYX_SLOT("):
        sys.exit(f"{LIST}: {bare.count('FERRYX_SLOT(')} entries, of which {len(slots)} have the form of a slot")
    for slot in slots:
        signature = f"{slot['result']} ({' '.join(slot['parameters'].split())})"
        what = "".join(TEXT.findall(slot["what"])).replace("|", "\\|")
        yield f"| `{slot['name']}` | `{signature}` | {slot['need'].lower()} | {what} |\n"


def page(text):
    return HEAD + "".join(rows(text))


def self_test():
    """A change of the list must change the page."""
    text = 'FERRYX_SLOT(int, first, (int a,\n int b), OPTIONAL, "One. "\n "Two.")\n'
    assert page(text).endswith("| `first` | `int (int a, int b)` | optional | One. Two. |\n")
    for old, new in (("int a", "int c"), ("OPTIONAL", "REQUIRED"), ("Two", "Three"), ("first", "second")):
        assert page(text.replace(old, new)) != page(text)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--root", type=pathlib.Path, default=ROOT, help="the repository")
    action = parser.add_mutually_exclusive_group(required=True)
    action.add_argument("--write", action="store_true", help="write the page")
    action.add_argument("--check", action="store_true", help="check that the page is up to date")
    arguments = parser.parse_args()

    self_test()
    wanted = page((arguments.root / LIST).read_text(encoding="utf-8"))
    path = arguments.root / PAGE
    if arguments.write:
        path.write_text(wanted, encoding="utf-8")
    elif not path.exists() or path.read_text(encoding="utf-8") != wanted:
        sys.exit(f"{PAGE} is not what {LIST} says: run scripts/backend_slots.py --write")


if __name__ == "__main__":
    main()
