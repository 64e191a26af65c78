#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes the table of supported functions in README.md from src/dispatch/api_list.def.

Usage: functions.py --write | --check. --check exits with 1 when the table is not what --write would make.
"""

import argparse
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
LIST = pathlib.Path("src/dispatch/api_list.def")
PAGE = pathlib.Path("README.md")

ENTRY = re.compile(
    r'^FERRY_API_CHAPTER\("(?P<chapter>[^"]+)"\)$|^(?P<macro>FERRY_API\w*)\([^,\n]+, (?P<name>\w+),', re.MULTILINE
)
BEGIN = "<!-- Generated from src/dispatch/api_list.def by scripts/functions.py --write. -->\n"
END = "<!-- End of what is generated. -->\n"


def chapters(text):
    """(name, functions, how many of them work), in the order of the list."""
    found = []
    for entry in ENTRY.finditer(text[text.index("clang-format off") :]):
        if entry["chapter"]:
            found.append([entry["chapter"], 0, 0])
            continue
        found[-1][1] += 1
        found[-1][2] += entry["macro"] != "FERRY_API_REFUSED"
    if not found or not all(count for _, count, _ in found):
        sys.exit(f"{LIST}: no functions found, or a chapter without any")
    return found


def table(text):
    """The paragraph and the table: chapters that work as a whole first."""
    found = chapters(text)
    total = sum(count for _, count, _ in found)
    working = sum(works for _, _, works in found)
    lines = [
        f"All {total} functions of the runtime headers (CANN 9.1) are exported, so that programs link and load. {working} of them\n",
        "work; the others return 207000 with a text. `ferry info --functions` and `ferry info --json` name them.\n",
        "\n",
        "| functions | chapters |\n",
        "|---|---|\n",
    ]
    whole = [f"{name} ({count})" for name, count, works in found if works == count]
    partly = [f"{name} ({works} of {count})" for name, count, works in found if 0 < works < count]
    none = [f"{name} ({count})" for name, count, works in found if works == 0]
    for title, names in (("all work", whole), ("some work", partly), ("return 207000", none)):
        if names:
            lines.append(f"| {title} | {', '.join(names)} |\n")
    return "".join(lines)


def replaced(page, text):
    """The page with the table made anew."""
    if BEGIN not in page or END not in page:
        sys.exit(f"{PAGE}: the marks of the generated table are missing")
    before, rest = page.split(BEGIN)
    _, after = rest.split(END)
    return before + BEGIN + table(text) + END + after


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    action = parser.add_mutually_exclusive_group(required=True)
    action.add_argument("--write", action="store_true", help=f"write the table of {PAGE}")
    action.add_argument("--check", action="store_true", help="compare it with the list")
    options = parser.parse_args()
    page = (ROOT / PAGE).read_text(encoding="utf-8")
    wanted = replaced(page, (ROOT / LIST).read_text(encoding="utf-8"))
    if options.write:
        (ROOT / PAGE).write_text(wanted, encoding="utf-8")
    elif page != wanted:
        sys.exit(f"{PAGE} is not up to date with {LIST}; run: scripts/functions.py --write")


main()
