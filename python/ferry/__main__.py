# SPDX-License-Identifier: Apache-2.0
"""``python -m ferry run ...`` is the program ``ferry``: finds it next to the package and executes it."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import NoReturn

# Relative to the package's folder: in a wheel, in an installation, in a build tree.
PLACES = ("lib/ferry", "../../../bin/ferry", "../../tools/ferry/ferry")


def find_program(package: Path) -> Path:
    """The path of the program; FileNotFoundError lists the places searched."""
    places = [package / place for place in PLACES]
    for place in places:
        if place.is_file() and os.access(place, os.X_OK):
            return place.resolve()
    raise FileNotFoundError(
        "the program ferry is in none of: " + ", ".join(os.path.normpath(p) for p in places)
    )


def main() -> NoReturn:
    try:
        # Links are not resolved: in a build tree the package's files are links, and the program is next to
        # the links.
        program = find_program(Path(os.path.abspath(__file__)).parent)
    except FileNotFoundError as error:
        print(f"ferry: {error}", file=sys.stderr)
        sys.exit(1)
    os.execv(program, ["ferry", *sys.argv[1:]])


if __name__ == "__main__":
    main()
