# SPDX-License-Identifier: Apache-2.0
"""Reads the layout of ferry/backend.h: names and types from its text, numbers from a compiler.

Nothing is executed, so a cross compiler will do: the numbers are read from the object file of a probe.
"""

import pathlib
import re
import struct
import subprocess
import tempfile

HEADER = "ferry/backend.h"
SLOTS = "ferry/backend_slots.def"
TABLE = "ferryx_backend"
# Types that a numeric macro can have, in the order in which the probe numbers them.
MACRO_TYPES = ["int", "unsigned int", "long", "unsigned long", "long long", "unsigned long long"]
MARK = b"ferryx layout :\n"

ENUM = re.compile(r"typedef\s+enum\s+(ferryx_\w+)\s*\{([^{}]*)\}\s*\w+\s*;")
STRUCT = re.compile(r"(?:typedef\s+)?(struct|union)\s+(ferryx_\w+)\s*\{([^{}]*)\}\s*\w*\s*;")
TYPEDEF = re.compile(r"typedef\s+([^{};]+);")
FUNCTION = re.compile(r"(.+?)\(\s*\*\s*(\w+)\s*\)\s*\((.*)\)", re.DOTALL)
PLAIN = re.compile(r"(.+?)(\w+)\s*(\[\d+\])?", re.DOTALL)


class LayoutError(Exception):
    """The header cannot be read; the text is a sentence."""


def run(command, text):
    result = subprocess.run(command, input=text, capture_output=True, text=True)
    if result.returncode != 0:
        raise LayoutError(f"{HEADER} does not compile:\n{result.stderr}")
    return result.stdout


def preprocess(compiler, include, text, *options):
    return run([*compiler, "-E", "-P", *options, f"-I{include}", "-x", "c", "-"], text)


def spelled(type_text):
    """A type with one space between its words and stars."""
    return " ".join(re.findall(r"\w+|\*", type_text))


def parameter_type(parameter):
    """The type of a parameter, whose name is dropped: names are no part of the layout."""
    words = re.findall(r"\w+|\*", parameter)
    return " ".join(words[:-1] if len(words) > 1 and words[-1] != "*" else words)


def declaration(text):
    """(name, type) of one member or typedef."""
    function = FUNCTION.fullmatch(text.strip())
    if function:
        result, name, parameters = function.groups()
        types = ", ".join(map(parameter_type, parameters.split(",")))
        return name, f"{spelled(result)} (*)({types})"
    plain = PLAIN.fullmatch(text.strip())
    if plain is None or re.search(r"[,:()]", text):
        raise LayoutError(f'"{" ".join(text.split())}" is not a declaration of a single name: write one per line')
    return plain.group(2), spelled(plain.group(1)) + (plain.group(3) or "")


def members(body):
    return [declaration(member) for member in body.split(";") if member.strip()]


def macros(compiler, include):
    """Texts of the FERRYX_ macros by name; those with parameters are no part of the layout."""
    listed = preprocess(compiler, include, f'#include "{HEADER}"\n', "-dM")
    return dict(re.findall(r"^#define (FERRYX_\w+) (.+)$", listed, re.MULTILINE))


def slots(compiler, include):
    """Whether each slot is REQUIRED or OPTIONAL, in the order of the list."""
    text = "#define FERRYX_SLOT(result, name, parameters, need, what) slot name need;\n"
    listed = preprocess(compiler, include, text + f'#include "{SLOTS}"\n')
    return dict(re.findall(r"slot (\w+) (\w+);", listed))


def evaluate(compiler, include, expressions):
    """The values of constant expressions."""
    values = ", ".join(f"(long long)({expression})" for expression in expressions)
    mark = ", ".join(map(str, MARK))
    probe = (f'#include "{HEADER}"\n'
             f"const struct {{ unsigned char mark[{len(MARK)}]; long long values[{len(expressions)}]; }}\n"
             f"    ferryx_layout = {{{{{mark}}}, {{{values}}}}};\n")
    with tempfile.TemporaryDirectory() as folder:
        output = pathlib.Path(folder) / "probe.o"
        run([*compiler, "-c", "-O0", f"-I{include}", "-x", "c", "-o", str(output), "-"], probe)
        data = output.read_bytes()
    return struct.unpack_from(f"<{len(expressions)}q", data, data.index(MARK) + len(MARK))


def macro_type(name):
    cases = ", ".join(f"{type_name}: {i}" for i, type_name in enumerate(MACRO_TYPES))
    return f"_Generic(({name}), {cases})"


def read_names(compiler, include):
    """The layout without its numbers."""
    text = preprocess(compiler, include, f'#include "{HEADER}"\n')
    structs = {name: {"kind": kind, "fields": members(body)} for kind, name, body in STRUCT.findall(text)}
    enums = {name: re.findall(r"\b(FERRYX_\w+)", body) for name, body in ENUM.findall(text)}
    rest = STRUCT.sub("", ENUM.sub("", text))
    typedefs = [declaration(body) for body in TYPEDEF.findall(rest) if "ferryx_" in body]
    return structs, enums, dict(typedefs)


def read_layout(compiler, include):
    """The layout of the header under `include`, in the form of backend_layout.json."""
    structs, enums, typedefs = read_names(compiler, include)
    texts = macros(compiler, include)
    numbers = [name for name, text in texts.items() if not text.startswith('"')]
    expressions = {}
    for name, entry in structs.items():
        expressions[name, "size"] = f"sizeof({entry['kind']} {name})"
        expressions[name, "align"] = f"_Alignof({entry['kind']} {name})"
        for field, _ in entry["fields"]:
            expressions[name, field, "offset"] = f"__builtin_offsetof({entry['kind']} {name}, {field})"
    for constant in sum(enums.values(), []):
        expressions[constant] = constant
    for name in numbers:
        expressions[name] = name
        expressions[name, "type"] = macro_type(name)
    value = dict(zip(expressions, evaluate(compiler, include, list(expressions.values()))))
    return {
        "structs": {name: {"kind": entry["kind"], "size": value[name, "size"], "align": value[name, "align"],
                           "fields": [[value[name, field, "offset"], type_name, field]
                                      for field, type_name in entry["fields"]]}
                    for name, entry in structs.items()},
        "enums": {name: {constant: value[constant] for constant in constants}
                  for name, constants in enums.items()},
        "typedefs": typedefs,
        "macros": {name: [MACRO_TYPES[value[name, "type"]], value[name]] if name in numbers
                   else ["text", texts[name].strip('"')] for name in sorted(texts)},
        "slots": slots(compiler, include),
    }
