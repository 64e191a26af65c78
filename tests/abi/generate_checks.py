#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes a C11 and a C++11 file that compare the public headers with contract.json.

Nearly all checks are static assertions, so compiling is the test. In C a `static const int` is not a constant
expression: the C file therefore compares these at run time.
"""

import argparse
import json
import pathlib
import re


def pointer_to(type_name):
    """The type "pointer to type_name", for types as the contract spells them."""
    if "(*)" in type_name:
        return type_name.replace("(*)", "(**)", 1)
    array = re.fullmatch(r"(.*?)(\[\d+\])", type_name)
    if array:
        return f"{array.group(1)} (*){array.group(2)}"
    return type_name + " *"


def function_pointer(function):
    params = ", ".join(type_name for type_name, _ in function["params"])
    if function.get("variadic"):
        params += ", ..."
    return f"{function['returns']} (*)({params or 'void'})"


def is_text_macro(macro):
    return macro["value"].startswith("__attribute__")


def struct_checks(contract, assertion, align_of, field_type):
    for name, struct in contract["structs"].items():
        yield assertion(f"sizeof({name}) == {struct['size']}", f"size of {name}")
        yield assertion(f"{align_of}({name}) == {struct['align']}", f"alignment of {name}")
        for offset, type_name, field in struct["fields"]:
            where = f"{name}.{field}"
            yield assertion(f"offsetof({name}, {field}) == {offset}", f"offset of {where}")
            # ISO C and C++ have no arrays of length 0, so their type cannot be written down.
            if type_name.endswith("[0]"):
                yield assertion(f"sizeof((({name} *)0)->{field}) == 0", f"size of {where}")
            else:
                yield assertion(field_type(name, field, type_name), f"type of {where}")


def value_checks(contract, assertion):
    for name, enum in contract["enums"].items():
        yield assertion(f"sizeof({name}) == 4", f"size of {name}")
        for constant, value in enum["values"].items():
            yield assertion(f"{constant} == {value}", f"value of {constant}")
    for name, macro in contract["macros"].items():
        if not is_text_macro(macro):
            yield assertion(f"{name} == {macro['value']}", f"value of {name}")


def constant_type(constant):
    return "uint32_t" if constant["value"].endswith("U") else "int"


def c_assertion(condition, what):
    return f'_Static_assert({condition}, "{what}");'


def c_same_type(expression, type_name):
    return f"_Generic({expression}, {type_name}: 1, default: 0)"


def c_field_type(struct, field, type_name):
    return c_same_type(f"&(({struct} *)0)->{field}", pointer_to(type_name))


def c_assertions(contract):
    """The lines of the C file that need not run."""
    lines = ["#include <stddef.h>", "#include <stdint.h>", "#include <stdio.h>", ""]
    lines += include_lines(contract) + [""]
    lines += value_checks(contract, c_assertion)
    lines += struct_checks(contract, c_assertion, "_Alignof", c_field_type)
    for name, typedef in contract["typedefs"].items():
        same = c_same_type(f"({name} *)0", pointer_to(typedef["type"]))
        lines.append(c_assertion(same, f"type of {name}"))
    for function in contract["functions"]:
        same = c_same_type(f"&{function['name']}", function_pointer(function))
        lines.append(c_assertion(same, f"type of {function['name']}"))
    for name, constant in contract["constants"].items():
        lines.append(c_assertion(c_same_type(name, constant_type(constant)), f"type of {name}"))
    return lines


def c_file(contract):
    lines = c_assertions(contract)
    lines += ["", "static int failures;", ""]
    lines += ["static void check(const char* name, long long actual, long long expected) {"]
    lines += ["  if (actual == expected) return;"]
    lines += ['  printf("%s is %lld, the contract says %lld\\n", name, actual, expected);']
    lines += ["  ++failures;", "}", "", "int main(void) {"]
    for name, constant in contract["constants"].items():
        lines.append(f'  check("{name}", {name}, {constant["value"]});')
    lines += ["  return failures != 0;", "}"]
    return "\n".join(lines) + "\n"


def cpp_assertion(condition, what):
    return f'static_assert({condition}, "{what}");'


def cpp_same_type(left, right):
    return f"std::is_same<{left}, {right}>::value"


def cpp_field_type(struct, field, type_name):
    array = re.fullmatch(r"(.*?)\[(\d+)\]", type_name)
    expected = f"{array.group(1)}[{array.group(2)}]" if array else type_name
    return cpp_same_type(f"decltype(std::declval<{struct}&>().{field})", expected)


def cpp_file(contract):
    lines = ["#include <cstddef>", "#include <cstdint>", "#include <type_traits>"]
    lines += ["#include <utility>", ""] + include_lines(contract) + [""]
    # The format attribute of aclAppLog is not part of its type, which GCC points out.
    lines += ['#pragma GCC diagnostic ignored "-Wignored-attributes"', ""]
    lines += ["#define TEXT_OF(...) #__VA_ARGS__", "#define EXPANDED_TEXT_OF(x) TEXT_OF(x)"]
    lines += ["constexpr bool same_text(const char* a, const char* b) {"]
    lines += ["  return *a == *b && (*a == 0 || same_text(a + 1, b + 1));", "}"]
    lines += value_checks(contract, cpp_assertion)
    lines += struct_checks(contract, cpp_assertion, "alignof", cpp_field_type)
    for name, enum in contract["enums"].items():
        for constant in enum["values"]:
            lines.append(cpp_assertion(cpp_same_type(f"decltype({constant})", name),
                                       f"type of {constant}"))
    for name, typedef in contract["typedefs"].items():
        lines.append(cpp_assertion(cpp_same_type(name, typedef["type"]), f"type of {name}"))
    for function in contract["functions"]:
        same = cpp_same_type(f"decltype(&{function['name']})", function_pointer(function))
        lines.append(cpp_assertion(same, f"type of {function['name']}"))
    for name, constant in contract["constants"].items():
        same = cpp_same_type(f"decltype({name})", "const " + constant_type(constant))
        lines.append(cpp_assertion(f"{name} == {constant['value']} && {same}", name))
    for name, macro in contract["macros"].items():
        if is_text_macro(macro):
            text = json.dumps(macro["value"])
            condition = f"same_text(EXPANDED_TEXT_OF({name}), {text})"
        else:
            condition = cpp_same_type(f"decltype({name})", f"decltype({macro['value']})")
        lines.append(cpp_assertion(condition, f"macro {name}"))
    return "\n".join(lines) + "\n"


def include_lines(contract):
    headers = {function["header"] for function in contract["functions"]}
    for section in ("enums", "structs", "typedefs", "constants", "macros"):
        headers |= {entry["header"] for entry in contract[section].values()}
    return [f'#include "{header}"' for header in sorted(headers)]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("contract", type=pathlib.Path)
    parser.add_argument("c_output", type=pathlib.Path)
    parser.add_argument("cpp_output", type=pathlib.Path)
    arguments = parser.parse_args()
    contract = json.loads(arguments.contract.read_text(encoding="utf-8"))
    arguments.c_output.write_text(c_file(contract), encoding="utf-8")
    arguments.cpp_output.write_text(cpp_file(contract), encoding="utf-8")


if __name__ == "__main__":
    main()
