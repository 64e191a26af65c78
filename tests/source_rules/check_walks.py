#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares the walks of docs/architecture.md with what a debugger sees.

Usage: check_walks.py REPOSITORY PROGRAM [--exact] [WALK...]. PROGRAM is walks.c, linked with libascendcl.so. A walk is
a fenced block "```walk NAME" with one line per frame: number, function, file, what happens there. The script runs
PROGRAM under gdb, stops at the last function of the block, and compares the backtrace. Exits with 1 and the real walk
when they differ, with 77, which ctest treats as "skipped", when gdb is missing or may not trace a process.

Frames are those of the source: gdb adds the inlined ones from the debug information. What else the compiler does to
frames is normalised: a function that it has split counts once, and frames of the standard library and of function
objects (lambdas too) do not count. Frames can still be lost: without debug information the inlined ones, with any
compiler those of functions that end in a jump to the next one. Therefore:

- Always, each function of the backtrace must be in the block, in the same order, the first and the last included.
- With --exact, nothing may be missing. ctest says so for GCC 12 with debug information, the compiler of CI, which loses
  no frame of these walks, with or without unity builds. Clang 14 loses some.
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys

SKIPPED = 77
# Name of a walk -> the variables it is walked with.
WALKS = {
    "cpu-batch": {"FERRY_DEVICES": "cpu"},
    "cpu-pageable": {"FERRY_DEVICES": "cpu"},
    "checked-copy": {"FERRY_DEVICES": "cpu", "FERRY_CHECK": "1"},
    "cuda-batch": {"FERRY_DEVICES": "cuda"},
}
# The last function may be called for something else first: a checked copy comes after a callout.
MOST_STOPS = 3
BLOCK = re.compile(r"```walk ([\w-]+)\n(.*?)```", re.DOTALL)
LINE = re.compile(r" *(\d+)  (\S+) {2,}(\S+)(?: {2,}\S.*)?")
SLOT = re.compile(r"FERRYX_SLOT\([^,]+, (\w+),")
FRAME = re.compile(r"#\d+ +(?:0x[0-9a-f]+ in )?(.+?) \((?:\.\.\.)?\)(?: at .*| from .*)?")
NO_TRACING = ("ptrace: Operation not permitted", "Could not trace the inferior process", "Cannot create process")


def read_walks(page, slots):
    """The blocks of the page: name -> list of (function, file), and what is wrong with their form."""
    walks, wrong = {}, []
    for block in BLOCK.finditer(page):
        name, lines = block.group(1), block.group(2).splitlines()
        parsed = [LINE.fullmatch(line) for line in lines]
        if not all(parsed) or [int(line.group(1)) for line in parsed] != list(range(1, len(lines) + 1)):
            wrong.append(f"{name}: a line is \"number  function  file  what happens\", numbered from 1")
            continue
        walks[name] = [line.group(2, 3) for line in parsed]
        at_slot = [i for i, (function, _) in enumerate(walks[name], 1) if function.endswith(slots)]
        slot = at_slot[-1] if at_slot else 0
        told = re.search(r"(\d+) frames[^\n]*\n+\Z", page[:block.start()])
        if told is None or int(told.group(1)) != slot:
            wrong.append(f"{name}: the line before the block must say \"{slot} frames\", the number of the slot")
    return walks, wrong


def wrong_files(root, name, walk):
    """Files of a walk that do not define their functions."""
    for function, file in walk:
        base = function.rpartition("::")[2]
        path = root / file
        text = path.read_text(encoding="utf-8") if path.exists() else ""
        if "#include \"dispatch/api_list.def\"" in text:
            text += (root / "src/dispatch/api_list.def").read_text(encoding="utf-8")
        if not re.search(rf"\b{base}\b", text):
            yield f"{name}: {file} does not define {function}"


def short_name(function):
    """A function as the page writes it; "" for frames that do not count."""
    if function.startswith("std::") or "operator()" in function:
        return ""
    while (shorter := re.sub(r"<[^<>]*>", "", function)) != function:
        function = shorter
    function = function.replace("(anonymous namespace)::", "")
    # Without debug information parameters belong to the name, and templates have their result in front.
    return function.partition("(")[0].rpartition(" ")[2].removeprefix("ferry::")


def functions_of(backtrace):
    """The functions from the exported one to the stop; the frames of the program are left out."""
    functions = []
    for line in backtrace:
        frame = FRAME.fullmatch(line)
        function = short_name(frame.group(1)) if frame else f"a frame that cannot be read: {line}"
        if function and function != (functions or [""])[-1]:
            functions.append(function)
        if function.startswith("acl"):
            break
    return functions[::-1]


def run(program, name, last):
    """The walks to the first calls of `last`, and gdb's output."""
    command = ["gdb", "-nx", "-batch", "-ex", "set debuginfod enabled off", "-ex", "handle SIGSEGV nostop noprint pass",
               "-ex", "set disable-randomization off", "-ex", "set print frame-arguments presence",
               "-ex", "break walk_starts", "-ex", "run", "-ex", f"break {last}"]
    for _ in range(MOST_STOPS):
        command += ["-ex", "continue", "-ex", "backtrace"]
    clean = {key: value for key, value in os.environ.items() if not key.startswith(("FERRY_", "ASCEND_"))}
    done = subprocess.run([*command, "--args", program, name], env={**clean, **WALKS[name]}, text=True, check=False,
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=300)
    stops = re.findall(r"^#0 .*(?:\n#\d.*)*", done.stdout, re.MULTILINE)
    walks = [functions_of(stop.splitlines()) for stop in stops]
    return [walk for walk in walks if walk[-1:] == [last]], done.stdout


def is_walk(shown, documented, is_exact):
    """Whether a backtrace, which ends with the last function, is the documented walk."""
    if is_exact:
        return shown == documented
    rest = iter(documented)
    return shown[0] == documented[0] and all(function in rest for function in shown)


def numbered(walk):
    """A walk, one line per frame."""
    return "\n".join(f"{number:4}  {function}" for number, function in enumerate(walk, 1))


def self_test():
    """The check must read gdb's output as it is, and catch walks that differ."""
    backtrace = ["#0  ferry::cpu::Queue::submit (...) at queue.cpp:39",
                 "#1  0x00007ffff7ee588f in ferry::core::(anonymous namespace)::copy_with (...) at copy.cpp:38",
                 "#2  ferry::core::(anonymous namespace)::copy_with (...) at copy.cpp:33",
                 "#3  0x00007ffff7eb in ferry::Around<int (*)(void*, aclrtMemcpyKind)>::operator() (...) at l.cpp:8",
                 "#4  ferry::cuda::Queue::submit(ferryx_work const&)::{lambda()#2}::operator() (...) at queue.cpp:1",
                 "#5  0x00007ffff7eb in int ferry::cuda::Queue::hand<X, ferry::Y<int> >(X const&) () from /lib/x.so",
                 "#6  aclrtMemcpyAsync () at api_list.def:304", "#7  main (...) at walks.c:70"]
    walk = ["aclrtMemcpyAsync", "cuda::Queue::hand", "core::copy_with", "cpu::Queue::submit"]
    assert functions_of(backtrace) == walk, functions_of(backtrace)
    assert is_walk(walk, walk, True)
    assert is_walk([walk[0], walk[-1]], walk, False)
    assert not is_walk(walk[:-1], walk, True)
    assert not is_walk([walk[0], "other"], walk, False)
    page = "It takes 1 frames.\n\n```walk x\n 1  cpu::slots::a  src/a.cpp  begins\n 2  cpu::b  src/b.cpp\n```\n"
    assert read_walks(page, ("slots::a",)) == ({"x": [("cpu::slots::a", "src/a.cpp"), ("cpu::b", "src/b.cpp")]}, [])
    assert read_walks(page.replace("1 frames", "2 frames"), ("slots::a",))[1]
    assert read_walks(page.replace(" 2  cpu", " 3  cpu"), ("slots::a",))[1]


def main():
    """Walks the given walks, or all of CPU devices."""
    self_test()
    root, program, names = pathlib.Path(sys.argv[1]), sys.argv[2], [name for name in sys.argv[3:] if name != "--exact"]
    listed = SLOT.findall((root / "include/ferry/backend_slots.def").read_text(encoding="utf-8"))
    walks, wrong = read_walks((root / "docs/architecture.md").read_text(encoding="utf-8"),
                              tuple(f"slots::{slot}" for slot in listed))
    wrong += [f"docs/architecture.md has no walk {name}" for name in WALKS.keys() - walks.keys()]
    wrong += [line for name, walk in walks.items() for line in wrong_files(root, name, walk)]
    if shutil.which("gdb") is None and not wrong:
        print("skipped: gdb is not installed")
        return SKIPPED
    for name in [] if wrong else names or [name for name in WALKS if not name.startswith("cuda")]:
        documented = [function for function, _ in walks[name]]
        shown, output = run(program, name, documented[-1])
        if not shown and any(text in output for text in NO_TRACING):
            print(f"skipped: gdb may not trace a process here\n{output}")
            return SKIPPED
        if not any(is_walk(walk, documented, "--exact" in sys.argv) for walk in shown):
            real = "\nor\n".join(numbered(walk) for walk in shown) or f"no call of {documented[-1]}:\n{output}"
            wrong.append(f"{name}: docs/architecture.md says\n{numbered(documented)}\nbut gdb shows\n{real}")
    print("\n".join(wrong))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
