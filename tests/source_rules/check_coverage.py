#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks that every implemented function of the list has its own conformance test.

Usage: check_coverage.py REPOSITORY. Compares src/dispatch/api_list.def with the contract in tests/abi and with
the files of tests/conformance; exits with 1 and one line per difference.
"""
import json
import pathlib
import re
import sys

ENTRY = re.compile(r"^(FERRY_API\w*)\([^,\n]+, (\w+),", re.MULTILINE)


def main():
    """Prints what is missing."""
    root = pathlib.Path(sys.argv[1])
    listed = {name: macro for macro, name in ENTRY.findall((root / "src/dispatch/api_list.def").read_text(encoding="utf-8"))}
    contract = {f["name"]: f["real"] for f in json.loads((root / "tests/abi/contract.json").read_text(encoding="utf-8"))["functions"]}
    tests = {path.name for path in (root / "tests/conformance").glob("*_test.cpp")}
    wrong = [f"{name} is in the contract, but not in api_list.def" for name in sorted(contract.keys() - listed.keys())]
    wrong += [f"{name} is in api_list.def, but not in the contract" for name in sorted(listed.keys() - contract.keys())]
    for name, macro in sorted(listed.items()):
        is_implemented = macro != "FERRY_API_REFUSED"
        if name in contract and is_implemented != contract[name]:
            wrong.append(f"{name}: the contract says real is {contract[name]}, api_list.def has {macro}")
        if is_implemented and f"{name}_test.cpp" not in tests:
            wrong.append(f"{name} is implemented, but tests/conformance/{name}_test.cpp is missing")
    print("\n".join(wrong))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
