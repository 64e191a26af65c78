#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compiles every public header alone, as C11 and as C++11 to C++20, with warnings as errors.

A header that contract.json names must also provide all its names without any other include.
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


def source_text(header, contract):
    """A translation unit that includes `header` and uses every name it must provide."""
    lines = [f'#include "{header}"', "void use_names(void);", "void use_names(void) {"]
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
    parser.add_argument("contract", type=pathlib.Path)
    parser.add_argument("include", type=pathlib.Path, help="the folder that holds acl/")
    parser.add_argument("--cc", action="append", required=True, help="a C compiler; repeatable")
    parser.add_argument("--cxx", action="append", required=True, help="a C++ compiler; repeatable")
    arguments = parser.parse_args()

    contract = json.loads(arguments.contract.read_text(encoding="utf-8"))
    headers = sorted(path.relative_to(arguments.include).as_posix()
                     for path in (arguments.include / "acl").rglob("*.h"))
    if not headers:
        sys.exit(f"no headers under {arguments.include}/acl")
    with tempfile.TemporaryDirectory() as folder:
        sources = []
        for header in headers:
            path = pathlib.Path(folder) / (header.replace("/", "-") + ".c")
            path.write_text(source_text(header, contract), encoding="utf-8")
            sources.append(str(path))
        jobs = [(compiler.split(), "c11") for compiler in arguments.cc]
        jobs += [(compiler.split(), standard)
                 for compiler in arguments.cxx for standard in CPP_STANDARDS]
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            failures = list(filter(None, pool.map(
                lambda job: compile_all(*job, arguments.include, sources), jobs)))
    if failures:
        sys.exit("\n".join(failures))
    print(f"{len(headers)} headers, {len(jobs)} compilers and standards")


if __name__ == "__main__":
    main()
