#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares the dynamic symbols and dependencies of the companion libraries with src/companions/symbols.def and the
contract: each exports what is listed and nothing else, and needs libascendcl.so and libc at most."""

import argparse
import json
import pathlib
import re
import subprocess
import sys

LINE = re.compile(r"^FERRY_(\w+)\((\w+), .*?\b(\w+), \(")
SYSTEM_LIBRARY = re.compile(r"(libc|libdl|libpthread|ld-linux[\w-]*)\.so\.\d+")
# Which library needs which other one.
ALSO_NEEDED = {"libacl_op_compiler.so": "libprofapi.so"}


def output_of(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def listed_symbols(path):
    lists = {"NONE": set()}
    for line in path.read_text(encoding="utf-8").splitlines():
        match = LINE.match(line)
        if match:
            lists.setdefault(match.group(1), set()).add(match.group(3))
    return lists


def problems_of(arguments, symbols, library):
    name = pathlib.Path(library).name
    lines = output_of(arguments.nm, "-D", "--defined-only", library).splitlines()
    exported = {line.split()[-1] for line in lines if line.strip()}
    for symbol in sorted(symbols - exported):
        yield f"{name}: {symbol} is listed and not exported"
    for symbol in sorted(exported - symbols):
        yield f"{name}: {symbol} is exported and not listed"
    dynamic = output_of(arguments.readelf, "--dynamic", "--wide", library)
    if re.findall(r"\(SONAME\).*\[(.+)\]", dynamic) != [name]:
        yield f"{name}: the SONAME is not the name of the file"
    needed = re.findall(r"\(NEEDED\).*\[(.+)\]", dynamic)
    for other in needed:
        is_allowed = (SYSTEM_LIBRARY.fullmatch(other) or other == "libascendcl.so"
                      or other == ALSO_NEEDED.get(name) or other.split(".so")[0] in arguments.allow_needed)
        if not is_allowed:
            yield f"{name}: it needs {other}"
    if name in ALSO_NEEDED and ALSO_NEEDED[name] not in needed:
        yield f"{name}: it does not need {ALSO_NEEDED[name]}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("symbols", type=pathlib.Path)
    parser.add_argument("contract", type=pathlib.Path)
    parser.add_argument("library", nargs="+", help="LIST=FILE")
    parser.add_argument("--nm", default="nm")
    parser.add_argument("--readelf", default="readelf")
    parser.add_argument("--allow-needed", action="append", default=[], help="such as libasan; repeatable")
    arguments = parser.parse_args()

    lists = listed_symbols(arguments.symbols)
    libraries = dict(entry.split("=", 1) for entry in arguments.library)
    by_file = {}
    for entry in arguments.library:
        kind, file = entry.split("=", 1)
        by_file[file] = lists.get(kind, set())
    problems = [problem for file, symbols in by_file.items() for problem in problems_of(arguments, symbols, file)]
    problems += [f"FERRY_{kind} is the list of no library" for kind in lists.keys() - libraries.keys()]
    names = {pathlib.Path(file).name: symbols for file, symbols in by_file.items()}
    for function in json.loads(arguments.contract.read_text(encoding="utf-8"))["functions"]:
        if function["name"] not in names.get(function["library"], ()):
            problems.append(f"{function['name']} is not in the list of {function['library']}")
    if problems:
        sys.exit("\n".join(problems))
    print(f"{len(by_file)} libraries, {sum(map(len, lists.values()))} symbols")


if __name__ == "__main__":
    main()
