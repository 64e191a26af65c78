#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares the dynamic symbols and the dependencies of libascendcl.so with contract.json."""

import argparse
import json
import pathlib
import re
import subprocess
import sys

SONAME = "libascendcl.so"
# The C and C++ run-time libraries; libpthread and libdl are part of libc since glibc 2.34.
SYSTEM_LIBRARY = re.compile(
    r"(libc|libm|libstdc\+\+|libgcc_s|libpthread|libdl|ld-linux[\w-]*)\.so\.\d+")


def output_of(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def exported_names(nm, library):
    """Names in the dynamic symbol table; a symbol version stays part of the name."""
    lines = output_of(nm, "-D", "--defined-only", library).splitlines()
    return {line.split()[-1] for line in lines if line.strip()}


def declared_ferry_names(include):
    text = "\n".join(path.read_text(encoding="utf-8")
                     for path in sorted((include / "ferry").glob("*.h")))
    without_comments = re.sub(r"//[^\n]*|/\*.*?\*/", " ", text, flags=re.DOTALL)
    return set(re.findall(r"\b(ferry\w*)\s*\(", without_comments))


def symbol_problems(exported, contract, declared):
    expected = {function["name"] for function in contract["functions"]} | set(contract["legacy"])
    ferry = {name for name in exported if name.startswith("ferry")}
    for name in sorted(expected - exported):
        yield f"{name} is in the contract and not exported"
    for name in sorted(exported - expected - ferry):
        yield f"{name} is exported and neither in the contract nor a ferry name"
    for name in sorted(ferry - declared):
        yield f"{name} is exported and not declared in include/ferry"


def dynamic_problems(readelf, library, allowed_needed):
    dynamic = output_of(readelf, "--dynamic", "--wide", library)
    for name in re.findall(r"\(NEEDED\).*\[(.+)\]", dynamic):
        if not SYSTEM_LIBRARY.fullmatch(name) and name.split(".so")[0] not in allowed_needed:
            yield f"the library needs {name}, which is not a run-time library of C or C++"
    soname = re.findall(r"\(SONAME\).*\[(.+)\]", dynamic)
    if soname != [SONAME]:
        yield f"SONAME is {soname}, expected was {SONAME}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("contract", type=pathlib.Path)
    parser.add_argument("include", type=pathlib.Path, help="the folder that holds ferry/")
    parser.add_argument("library")
    parser.add_argument("--nm", default="nm")
    parser.add_argument("--readelf", default="readelf")
    parser.add_argument("--allow-needed", action="append", default=[],
                        help="another library that may be needed, such as libasan; repeatable")
    arguments = parser.parse_args()

    contract = json.loads(arguments.contract.read_text(encoding="utf-8"))
    exported = exported_names(arguments.nm, arguments.library)
    problems = list(symbol_problems(exported, contract, declared_ferry_names(arguments.include)))
    problems += dynamic_problems(arguments.readelf, arguments.library, arguments.allow_needed)
    if problems:
        sys.exit("\n".join(problems))
    print(f"{len(exported)} symbols")


if __name__ == "__main__":
    main()
