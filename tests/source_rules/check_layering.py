#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks the includes of src/: every folder includes only what the layering allows.

Usage: check_layering.py REPOSITORY. Exits with 1 and one line per forbidden include.
"""
import pathlib
import re
import sys

# Folder of src/ -> the other folders of src/ that it may include. Public headers are open to all.
ALLOWED = {
    "base": (),
    "dispatch": (),
    "sharing": ("base",),
    "core": ("base", "sharing"),
    "backends/cpu": ("base", "sharing"),
    "backends/cuda": ("base",),
    "backends/null": ("base",),
    "layers/front": ("base",),
    "layers/fabric": ("base", "sharing", "layers/front"),
    "layers/inject": ("base", "dispatch", "layers/front"),
    "layers/check": ("base", "dispatch", "layers/front"),
    "companions": (),
    "plugins/fabric": ("layers/fabric",),
    "plugins/signals": (),
    "plugins/symbols": ("layers/check",),
    "plugins/trace": ("layers/trace",),
    "api": ("base", "sharing", "dispatch", "core", "layers/inject", "layers/check", "backends/null", "backends/cpu"),
}
# Only the composition root and Ferry's own functions may name backends and layers.
NAMES_BACKENDS = {"src/api/init.cpp", "src/api/ferry.cpp", "src/api/ferry_kernel.cpp", "src/api/trace.cpp"}
PUBLIC = ("acl/", "ferry/", "hccl/", "ms_tools_ext.h")
INCLUDE = re.compile(r'^\s*#include "([^"]+)"', re.MULTILINE)


# What every other folder of src/layers may include: a new layer or front needs no line here.
LAYER = ("base", "dispatch", "layers/front")


def folder_of(path):
    """The key of ALLOWED that a path below src/ belongs to, or its folder of src/layers."""
    known = next((folder for folder in ALLOWED if path.startswith(folder + "/")), None)
    if known is None and path.startswith("layers/") and path.count("/") > 1:
        return "/".join(path.split("/")[:2])
    return known


def may_include(here, there):
    """Whether the table, or the rule for layers, lets one folder include another."""
    if here == "api" and there.startswith("layers/"):
        return True
    return there in ALLOWED.get(here, LAYER)


def violations(name, text):
    """The forbidden includes of one file of src/."""
    here = folder_of(name.removeprefix("src/"))
    if here is None:
        yield f"{name}: its folder is not in the table of {pathlib.Path(__file__).name}"
        return
    for target in INCLUDE.findall(text):
        if target.startswith(PUBLIC):
            continue
        there = folder_of(target)
        if there == here or (there is not None and may_include(here, there) and
                             (here != "api" or not there.startswith(("backends", "layers")) or name in NAMES_BACKENDS)):
            continue
        allowed = ", ".join(ALLOWED.get(here, LAYER)) or "public headers"
        yield f"{name}: includes {target}, but {here} may include only {allowed}"


def self_test():
    """The check must catch a planted violation, and accept what is allowed."""
    assert list(violations("src/core/x.cpp", '#include "backends/cpu/queue.h"\n'))
    assert list(violations("src/backends/cpu/x.cpp", '#include "core/stream.h"\n'))
    assert list(violations("src/api/memcpy.cpp", '#include "backends/cpu/backend.h"\n'))
    assert list(violations("src/stray/x.cpp", ""))
    assert not list(violations("src/core/x.cpp", '#include "base/status.h"\n#include "acl/acl.h"\n'))
    assert not list(violations("src/api/init.cpp", '#include "backends/cpu/backend.h"\n'))
    assert not list(violations("src/api/init.cpp", '#include "layers/new/front.h"\n'))
    assert not list(violations("src/layers/new/x.cpp", '#include "layers/front/front.h"\n'))
    assert list(violations("src/layers/new/x.cpp", '#include "core/stream.h"\n'))


def main():
    """Runs the check over src/."""
    self_test()
    root = pathlib.Path(sys.argv[1])
    wrong = []
    for path in sorted((root / "src").rglob("*")):
        if path.suffix in (".h", ".cpp", ".cu", ".cuh", ".def"):
            wrong += violations(str(path.relative_to(root)), path.read_text(encoding="utf-8"))
    print("\n".join(wrong))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
