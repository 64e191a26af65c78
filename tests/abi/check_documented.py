#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks that the headers declare each function of contract.json once, and document it.

A working function has a comment; one that returns aclError also says what it "Returns". The others are marked
"Not supported.". Parameter names, which no compiler compares, are compared too.
"""

import argparse
import json
import pathlib
import re
import sys

DECLARATION = re.compile(r"^ACL_FUNC_VISIBILITY\s[^;]*;", re.MULTILINE)
NAME = re.compile(r"\b((?:acl|Hccl|mstx)\w+)\s*\(")


def declarations(path):
    """(name, parameter text, comment) of each function that a header declares."""
    text = path.read_text(encoding="utf-8")
    for match in DECLARATION.finditer(text):
        declaration = " ".join(match.group().split())
        name = NAME.search(declaration)
        comment = []
        for line in reversed(text[:match.start()].splitlines()):
            if not line.startswith("///"):
                break
            comment.insert(0, line[3:].strip())
        yield name.group(1), declaration[name.end():], "\n".join(comment)


def problems_of(function, parameters, comment):
    name = function["name"]
    names = [parameter for _, parameter in function["params"]]
    pattern = r".*?".join(rf"\b{parameter}\b\)?[^,)]*" for parameter in names)
    if names and not re.match(rf"[^)]*?{pattern}", parameters):
        yield f"{name}: the parameters are not named {', '.join(names)} in this order"
    # One comment at the top of hccl.h speaks for all its functions.
    if name.startswith("Hccl"):
        return
    if not comment:
        yield f"{name}: no comment"
    elif not function["real"] and "library" in function:
        if "Not supported" not in comment and "500004" not in comment and "NULL: " not in comment:
            yield f"{name}: the comment does not say that it is not supported"
    elif not function["real"]:
        if not " ".join(comment.split()).endswith("Not supported."):
            yield f'{name}: the comment does not end with "Not supported."'
    else:
        if "Not supported." in " ".join(comment.split()):
            yield f"{name}: it works, but its comment says that it is not supported"
        if function["returns"] == "aclError" and not re.search(r"^Returns\b", comment, re.M):
            yield f'{name}: no line of the comment begins with "Returns"'


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("include", type=pathlib.Path, help="the folder that holds acl/")
    parser.add_argument("--contract", type=pathlib.Path, action="append", required=True, help="repeatable")
    arguments = parser.parse_args()

    contracts = [json.loads(path.read_text(encoding="utf-8")) for path in arguments.contract]
    functions = {function["name"]: function for contract in contracts for function in contract["functions"]}
    problems, seen = [], {}
    for path in sorted(arguments.include.rglob("*.h")):
        if path.relative_to(arguments.include).parts[0] == "ferry":
            continue
        for name, parameters, comment in declarations(path):
            if name in seen:
                problems.append(f"{name}: declared in {seen[name].name} and in {path.name}")
            elif name not in functions:
                problems.append(f"{name}: declared in {path.name}, but not in the contract")
            else:
                problems += problems_of(functions[name], parameters, comment)
            seen[name] = path
    problems += [f"{name}: no declaration" for name in functions if name not in seen]
    if problems:
        sys.exit("\n".join(problems))
    print(f"{len(seen)} functions")


if __name__ == "__main__":
    main()
