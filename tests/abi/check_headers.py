#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compiles every public header alone, as C11 and as C++11 to C++20, with warnings as errors.

A header that a contract names must also provide all its names without any other include. Include guards have the
names that other copies of these headers use.
"""

import argparse
import concurrent.futures
import json
import os
import pathlib
import subprocess
import sys
import tempfile

WARNINGS = ["-Wall", "-Wextra", "-Wpedantic", "-Wshadow", "-Wconversion", "-Werror"]
CPP_STANDARDS = ["c++11", "c++14", "c++17", "c++20"]


def source_text(header, contract, function):
    """A function that uses every name that `header` must provide, and the line that includes it."""
    lines = [f'#include "{header}"', f"void {function}(void);", f"void {function}(void) {{"]
    for section in ("enums", "structs"):
        for name, entry in contract[section].items():
            if entry["header"] == header:
                lines.append(f"  (void)sizeof({name});")
    for name, entry in contract["typedefs"].items():
        if entry["header"] == header:
            lines.append(f"  (void)sizeof({name}*);")
    for name, entry in contract["constants"].items():
        if entry["header"] == header:
            lines.append(f"  (void){name};")
    for function in contract["functions"]:
        if function["header"] == header:
            lines.append(f"  (void)sizeof(&{function['name']});")
    lines.append("}")
    for name, entry in contract["macros"].items():
        if entry["header"] == header:
            lines += [f"#ifndef {name}", f"#error {name} is not defined", "#endif"]
    return "\n".join(lines) + "\n"


def guard_problems(include, guards):
    for header, guard in guards.items():
        if f"#ifndef {guard}\n#define {guard}\n" not in (include / header).read_text(encoding="utf-8"):
            yield f"{header}: the include guard is not {guard}"


def compile_all(compiler, standard, include, sources):
    language = "c++" if standard.startswith("c++") else "c"
    command = [*compiler, "-fsyntax-only", f"-std={standard}", *WARNINGS, f"-I{include}", "-x",
               language, *sources]
    result = subprocess.run(command, capture_output=True, text=True)
    if result.returncode == 0:
        return ""
    return f"{' '.join(compiler)} -std={standard}:\n{result.stderr}{result.stdout}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("include", type=pathlib.Path, help="the folder that holds acl/")
    parser.add_argument("--contract", type=pathlib.Path, action="append", required=True, help="repeatable")
    parser.add_argument("--cc", action="append", required=True, help="a C compiler; repeatable")
    parser.add_argument("--cxx", action="append", required=True, help="a C++ compiler; repeatable")
    arguments = parser.parse_args()

    contracts = [json.loads(path.read_text(encoding="utf-8")) for path in arguments.contract]
    headers = sorted(path.relative_to(arguments.include).as_posix()
                     for path in arguments.include.rglob("*.h")
                     if path.relative_to(arguments.include).parts[0] != "ferry")
    if not headers:
        sys.exit(f"no headers under {arguments.include}/acl")
    with tempfile.TemporaryDirectory() as folder:
        sources = []
        for header in headers:
            path = pathlib.Path(folder) / (header.replace("/", "-") + ".c")
            texts = [source_text(header, contract, f"use_names_{i}") for i, contract in enumerate(contracts)]
            path.write_text("\n".join(texts), encoding="utf-8")
            sources.append(str(path))
        jobs = [(compiler.split(), "c11") for compiler in arguments.cc]
        jobs += [(compiler.split(), standard)
                 for compiler in arguments.cxx for standard in CPP_STANDARDS]
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            failures = list(filter(None, pool.map(
                lambda job: compile_all(*job, arguments.include, sources), jobs)))
    for contract in contracts:
        failures += guard_problems(arguments.include, contract.get("guards", {}))
    if failures:
        sys.exit("\n".join(failures))
    print(f"{len(headers)} headers, {len(jobs)} compilers and standards")


if __name__ == "__main__":
    main()
