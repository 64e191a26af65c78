#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks that the version of project() in CMakeLists.txt is that of the header and of the changelog, and of the tag,
where the commit has one.

Usage: check_version.py REPOSITORY [--release]. With --release the changelog must have a date and the commit the tag.
Exits with 1 and one line per fault.
"""

import pathlib
import re
import subprocess
import sys


def find(root, file, pattern):
    """The groups of the first match in a file."""
    found = re.search(pattern, (root / file).read_text(), re.MULTILINE)
    return found.groups() if found else sys.exit(f"{file}: nothing matches {pattern}")


def tags_of_head(root):
    """The tags of the commit; none where this is no checkout of git."""
    command = ["git", "-C", str(root), "-c", f"safe.directory={root}", "tag", "--points-at", "HEAD", "v*"]
    try:
        found = subprocess.run(command, capture_output=True, text=True, check=False)
    except FileNotFoundError:
        return []
    return found.stdout.split()


def faults(root, is_release):
    """One line per fault."""
    (version,) = find(root, "CMakeLists.txt", r"^project\(ferry VERSION (\d+\.\d+\.\d+) ")
    (header,) = find(root, "include/ferry/ferry.h", r'^#define FERRY_VERSION "(.*)"$')
    section, state = find(root, "CHANGELOG.md", r"^## (\S+), (.*)$")
    if header != version:
        yield f"include/ferry/ferry.h: FERRY_VERSION is {header}, CMakeLists.txt says {version}"
    if section != version:
        yield f"CHANGELOG.md: the first section is about {section}, CMakeLists.txt says {version}"
    is_dated = re.fullmatch(r"\d{4}-\d\d-\d\d", state)
    if not is_dated and state != "not released yet":
        yield f'CHANGELOG.md: "{state}" is neither a date such as 2026-01-31 nor "not released yet"'
    tags = tags_of_head(root)
    if tags and (tags != [f"v{version}"] or not is_dated):
        yield f"the commit has the tag {' '.join(tags)}; version {version} is {state}"
    if is_release and not tags:
        yield f"the commit has no tag v{version}"


def main():
    root = pathlib.Path(sys.argv[1]).resolve()
    found = list(faults(root, "--release" in sys.argv[2:]))
    for fault in found:
        print(fault)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
