#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks that ferry/backend.h still has the layout that backend_layout.json froze.

Plugins are built against one version of the header and loaded by another. What may happen within one
FERRYX_ABI_MAJOR: a growing structure gets members at its end, the table optional slots at its end, the union of
payloads members within its room, and everything else new names. After such a change, freeze it, too:

    python3 tests/abi/check_backend_layout.py tests/abi/backend_layout.json include --append
"""

import argparse
import json
import pathlib
import shutil
import sys
import tempfile

from backend_layout import HEADER, SLOTS, TABLE, LayoutError, read_layout
from check_headers import CPP_STANDARDS, compile_all
from generate_checks import c_assertions, cpp_file
from layout_changes import FORBIDDEN, PERMITTED

ABOUT = ("The layout of include/ferry/backend.h as data: it is only appended to, by check_backend_layout.py --append. "
         "Fields are offset, type and name. Sizes are those of 64-bit Linux.")
# Has struct_size and does not grow: the union in it has room for what comes.
FIXED = "ferryx_work"


def grows(name, struct):
    return name != FIXED and struct["fields"][0][2] == "struct_size"


# ---- what moved ----


def field_problems(name, frozen, actual):
    """Members that are gone, moved, or of another type."""
    now = {field: (offset, type_name) for offset, type_name, field in actual["fields"]}
    for offset, type_name, field in frozen["fields"]:
        if field not in now:
            yield f"{name}.{field} is gone"
            continue
        if now[field][0] != offset:
            yield f"{name}.{field} moved from offset {offset} to {now[field][0]}"
        if now[field][1] != type_name:
            yield f"{name}.{field} changed its type from {type_name} to {now[field][1]}"


def growth_problems(name, frozen, actual):
    """New members where none may be."""
    known = {field for _, _, field in frozen["fields"]}
    for offset, _, field in actual["fields"]:
        if field in known or frozen["kind"] == "union":
            continue
        if not grows(name, frozen):
            yield f"{name}.{field} is new, but {name} is of fixed size"
        elif offset < frozen["size"]:
            yield (f"{name}.{field} is new and begins at offset {offset}, but a struct_size of {frozen['size']} in "
                   f"use today covers that: append it, behind explicit padding if need be")


def struct_problems(name, frozen, actual):
    yield from field_problems(name, frozen, actual)
    yield from growth_problems(name, frozen, actual)
    if actual["align"] != frozen["align"]:
        yield f"{name} changed its alignment from {frozen['align']} to {actual['align']}"
    is_smaller = actual["size"] < frozen["size"]
    if is_smaller or (actual["size"] != frozen["size"] and not grows(name, frozen)):
        yield f"{name} changed its size from {frozen['size']} to {actual['size']} bytes"


def enum_problems(name, frozen, actual):
    owners = {number: constant for constant, number in frozen.items()}
    for constant, number in frozen.items():
        if constant not in actual:
            yield f"{constant} of {name} is gone"
        elif actual[constant] != number:
            yield f"{constant} of {name} changed from {number} to {actual[constant]}"
    for constant, number in actual.items():
        if constant not in frozen and number in owners:
            yield f"{constant} of {name} is new and has the value {number} of {owners[number]}"


def macro_problems(name, frozen, actual):
    if name == "FERRYX_ABI_MINOR" and actual[1] > frozen[1]:
        return
    if actual != frozen:
        yield f"{name} changed from {frozen[1]} ({frozen[0]}) to {actual[1]} ({actual[0]})"


def typedef_problems(name, frozen, actual):
    if actual != frozen:
        yield f"{name} changed its type from {frozen} to {actual}"


def slot_problems(frozen, actual):
    """The table itself is compared as a structure; here is what only the list says."""
    for slot, need in frozen.items():
        if slot in actual and actual[slot] != need:
            yield f"slot {slot} changed from {need} to {actual[slot]}"
    for slot, need in actual.items():
        if slot not in frozen and need != "OPTIONAL":
            yield f"slot {slot} is new and {need}, but backends built before do not have it: it must be OPTIONAL"


def problems(frozen, actual):
    """One sentence for each thing that changed and must not."""
    compare = {"structs": struct_problems, "enums": enum_problems, "macros": macro_problems,
               "typedefs": typedef_problems}
    for section, check in compare.items():
        for name, entry in frozen[section].items():
            if name not in actual[section]:
                yield f"{name} is gone"
            else:
                yield from check(name, entry, actual[section][name])
    yield from slot_problems(frozen["slots"], actual["slots"])


# ---- what is new ----


def names(layout):
    for name, struct in layout["structs"].items():
        yield from (f"{name}.{field}" for _, _, field in struct["fields"])
    for constants in layout["enums"].values():
        yield from constants
    yield from (*layout["macros"], *layout["typedefs"])


def write_layout(path, layout):
    """One line per structure, enumeration and macro, so that a change shows as one line."""
    sections = [f'"about": {json.dumps(ABOUT)}']
    for section, entries in layout.items():
        lines = ",\n".join(f"  {json.dumps(name)}: {json.dumps(entry)}" for name, entry in entries.items())
        sections.append(f'"{section}": {{\n{lines}\n}}')
    path.write_text("{\n" + ",\n".join(sections) + "\n}\n", encoding="utf-8")


# ---- other compilers and languages ----


def as_contract(layout):
    """The layout in the form of contract.json, for the static assertions that are made from it."""
    def entry(**more):
        return {"header": HEADER, **more}
    return {
        "functions": [], "constants": {},
        "structs": {name: entry(**struct) for name, struct in layout["structs"].items()},
        "enums": {name: entry(values=values) for name, values in layout["enums"].items()},
        "typedefs": {name: entry(type=type_name) for name, type_name in layout["typedefs"].items()},
        "macros": {name: entry(value=f"(({type_name}){number})")
                   for name, (type_name, number) in layout["macros"].items() if type_name != "text"},
    }


def disagreements(layout, include, c_compilers, cpp_compilers):
    """What compilers say that see another layout, in C or in C++."""
    contract = as_contract(layout)
    with tempfile.TemporaryDirectory() as folder:
        c_source, cpp_source = pathlib.Path(folder) / "layout.c", pathlib.Path(folder) / "layout.cpp"
        c_source.write_text("\n".join(c_assertions(contract)) + "\n", encoding="utf-8")
        cpp_source.write_text(cpp_file(contract), encoding="utf-8")
        for compiler in c_compilers:
            yield compile_all(compiler, "c11", include, [str(c_source)])
        for compiler in cpp_compilers:
            for standard in (CPP_STANDARDS[0], CPP_STANDARDS[-1]):
                yield compile_all(compiler, standard, include, [str(cpp_source)])


# ---- the test of the test ----


def self_test(compiler, include):
    """Plants each change in a copy of the header. The frozen layout is that of the header as it is."""
    frozen = read_layout(compiler, include)
    with tempfile.TemporaryDirectory() as folder:
        copy = pathlib.Path(folder) / "include"
        for change in (*PERMITTED, *FORBIDDEN):
            shutil.copytree(include / "ferry", copy / "ferry", dirs_exist_ok=True)
            change.plant(copy / (SLOTS if change.is_slot else HEADER))
            found = list(problems(frozen, read_layout(compiler, copy)))
            if change.sentence is None and found:
                raise LayoutError(f"self-test: {change.what} must pass, but: {found}")
            if change.sentence is not None and change.sentence not in found:
                raise LayoutError(f'self-test: {change.what} must be answered with "{change.sentence}", '
                                  f"but was with {found}")
    return len(PERMITTED) + len(FORBIDDEN)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("layout", type=pathlib.Path, help="backend_layout.json")
    parser.add_argument("include", type=pathlib.Path, help="the folder that holds ferry/")
    parser.add_argument("--cc", action="append", help="a C compiler; repeatable")
    parser.add_argument("--cxx", action="append", default=[], help="a C++ compiler; repeatable")
    parser.add_argument("--append", action="store_true", help="freeze what is new")
    arguments = parser.parse_args()
    c_compilers = [compiler.split() for compiler in arguments.cc or ["cc"]]
    cpp_compilers = [compiler.split() for compiler in arguments.cxx]

    try:
        actual = read_layout(c_compilers[0], arguments.include)
        frozen = json.loads(arguments.layout.read_text(encoding="utf-8")) if arguments.layout.exists() else actual
        wrong = list(problems(frozen, actual))
        if wrong:
            sys.exit("\n".join(wrong))
        if arguments.append:
            return write_layout(arguments.layout, actual)
        planted = self_test(c_compilers[0], arguments.include)
    except LayoutError as error:
        sys.exit(str(error))
    wrong = list(filter(None, disagreements(actual, arguments.include, c_compilers, cpp_compilers)))
    if wrong:
        sys.exit("\n".join(wrong))
    new = sorted(set(names(actual)) - set(names(frozen)))
    print(f"{len(actual['structs'])} structures, {len(actual['slots'])} slots, {planted} planted changes")
    if new:
        print(f"not frozen yet: {', '.join(new)}; run check_backend_layout.py --append (see its help)")
    return None


if __name__ == "__main__":
    main()
