#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# Checks that the two tables of functions in the conformance tests are complete: one lists every refused
# function, the other every working one, and each line calls the function it names.
"""Usage: check_refused.py CONTRACT REFUSED_TEST WORKING_TEST"""

import json
import re
import sys

# {"aclrtFree", zeros<aclrtFree>},
ROW = re.compile(r'\{\s*"(\w+)",\s*zeros<(\w+)>\s*\}')


def read_table(path):
    """Returns the names in a table, and complaints about its lines."""
    with open(path, encoding="utf-8") as file:
        rows = ROW.findall(file.read())
    names = [name for name, _ in rows]
    complaints = [f"{path}: the line of {name} calls {called}"
                  for name, called in rows if name != called]
    complaints += [f"{path}: {name} stands there {names.count(name)} times"
                   for name in sorted(set(names)) if names.count(name) > 1]
    return set(names), complaints


def compare(path, wanted):
    """Returns complaints about a table that is to hold exactly the names `wanted`."""
    names, complaints = read_table(path)
    complaints += [f"{path}: {name} is missing" for name in sorted(wanted - names)]
    complaints += [f"{path}: {name} does not belong there" for name in sorted(names - wanted)]
    return complaints


def main():
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    contract, refused_test, working_test = sys.argv[1:]
    with open(contract, encoding="utf-8") as file:
        functions = json.load(file)["functions"]
    refused = {f["name"] for f in functions if not f["real"]}
    # A function with "..." cannot be called by the table; its test calls it by hand.
    working = {f["name"] for f in functions if f["real"] and not f.get("variadic")}
    complaints = compare(refused_test, refused) + compare(working_test, working)
    for complaint in complaints:
        print(complaint)
    print(f"{len(refused)} refused and {len(working)} working functions, "
          f"{len(complaints)} complaints")
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main())
