# SPDX-License-Identifier: Apache-2.0
"""``python -m ferry run ...`` is the program ``ferry``: this finds it beside the package and becomes it."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import NoReturn

# From the folder of the package: in a wheel, in an installation, in a build tree.
PLACES = ("lib/ferry", "../../../bin/ferry", "../../tools/ferry/ferry")


def find_program(package: Path) -> Path:
    """The program; FileNotFoundError says where it was looked for."""
    places = [package / place for place in PLACES]
    for place in places:
        if place.is_file() and os.access(place, os.X_OK):
            return place.resolve()
    raise FileNotFoundError(
        "the program ferry is in none of: " + ", ".join(os.path.normpath(p) for p in places)
    )


def main() -> NoReturn:
    try:
        # Not resolved: in a build tree the files of the package are links, and the program lies beside the
        # links.
        program = find_program(Path(os.path.abspath(__file__)).parent)
    except FileNotFoundError as error:
        print(f"ferry: {error}", file=sys.stderr)
        sys.exit(1)
    os.execv(program, ["ferry", *sys.argv[1:]])


if __name__ == "__main__":
    main()
