#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compiles sources that include our headers and another copy of them, in either order."""

import argparse
import concurrent.futures
import os
import pathlib
import subprocess
import sys
import tempfile

HEADERS = ("acl", "acl_rt", "acl_mdl", "acl_op", "acl_op_compiler", "acl_prof", "acl_tdt", "acl_tdt_queue", "acl_base")
# Declarations newer than the other copy are needed by the header, which then cannot follow it.
NOT_AFTER_OTHERS = ("acl_rt_api", "acl_platform")
OURS_ONLY = ("acl_dump", "acl_rt_allocator", "acl_rt_memory_soma")


def sources(ours, other):
    """Pairs of a name and a text."""
    def line(folder, header):
        return f'#include "{folder}/acl/{header}.h"\n'

    everything = "".join(line(other, header) for header in HEADERS)
    yield "all of theirs, then all of ours", everything + "".join(
        line(ours, header) for header in HEADERS + ("acl_dump",))
    for first in HEADERS + OURS_ONLY + NOT_AFTER_OTHERS:
        yield f"our {first}.h, then all of theirs", line(ours, first) + everything
    for first in ("acl", "acl_rt", "acl_base", "acl_mdl", "acl_op"):
        for second in HEADERS:
            yield f"our {first}.h, then their {second}.h", line(ours, first) + line(other, second)
    for first in ("acl", "acl_rt", "acl_mdl", "acl_op"):
        for second in HEADERS + ("acl_dump", "acl_rt_allocator"):
            yield f"their {first}.h, then our {second}.h", line(other, first) + line(ours, second)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("include", type=pathlib.Path, help="the folder that holds our acl/")
    parser.add_argument("other", type=pathlib.Path, help="the folder that holds the other acl/")
    parser.add_argument("--cc", action="append", default=[], help="a C compiler; repeatable")
    parser.add_argument("--cxx", action="append", required=True, help="a C++ compiler; repeatable")
    arguments = parser.parse_args()

    problems, count = [], 0
    with tempfile.TemporaryDirectory() as folder:
        names = {}
        for number, (name, text) in enumerate(sources(arguments.include.resolve(), arguments.other.resolve())):
            path = pathlib.Path(folder) / f"{number}.cpp"
            path.write_text(text, encoding="utf-8")
            names[str(path)] = name
        for compiler in arguments.cxx:
            # Headers that are named with their folder are found in ours.
            command = [*compiler.split(), "-std=c++17", "-fsyntax-only", f"-I{arguments.include}", "-x", "c++"]
            with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
                results = pool.map(lambda path: subprocess.run([*command, path], capture_output=True, text=True), names)
            for name, result in zip(names.values(), results):
                count += 1
                if result.returncode != 0:
                    problems.append(f"{compiler}: {name}:\n{result.stderr}")
    if problems:
        sys.exit("\n".join(problems))
    print(f"{count} sources")


if __name__ == "__main__":
    main()
