# SPDX-License-Identifier: Apache-2.0
"""What the README shows is what happens: its samples of output, its commands, variables, links and Python."""

import importlib.util
import os
import pathlib
import re
import subprocess
import unittest

from support import (
    BUILD,
    CXX,
    FERRY,
    HERE,
    LIBRARY,
    PYTHON,
    SOURCE,
    ToolTest,
    environment,
    ferry,
    main,
    plain_builds_only,
    run,
)

README = (SOURCE / "README.md").read_text()
LOAD = HERE / "programs/load.cpp"
# Fails as the README's first sample does.
WRONG_CONTEXT = """
import ctypes, sys
acl = ctypes.CDLL(sys.argv[1])
acl.aclGetRecentErrMsg.restype = ctypes.c_char_p
stream, memory, host, size = ctypes.c_void_p(), ctypes.c_void_p(), ctypes.c_void_p(), ctypes.c_size_t(64)
assert acl.aclInit(None) == 0 and acl.aclrtSetDevice(0) == 0
assert acl.aclrtCreateStream(ctypes.byref(stream)) == 0 and acl.aclrtSetDevice(1) == 0
assert acl.aclrtMalloc(ctypes.byref(memory), size, 0) == 0 and acl.aclrtMallocHost(ctypes.byref(host), size) == 0
assert acl.aclrtMemcpyAsync(memory, size, host, size, 1, stream) == 107003
print(acl.aclGetRecentErrMsg().decode())
"""


def blocks():
    """The indented blocks of the README, without their indentation."""
    found = re.findall(r"(?m)((?:^    .*\n|^\n(?=    ))+)", README)
    return [re.sub("(?m)^    ", "", block).strip("\n") for block in found]


def block_with(text):
    found = [block for block in blocks() if text in block]
    assert len(found) == 1, f"{len(found)} blocks of the README have {text}"
    return found[0]


def without_numbers(text):
    """What is the same in each run: no addresses, ids, thread ids, folders; and lines joined, as they break elsewhere."""
    text = re.sub(r"0x[0-9a-f]+", "0x", text)
    text = re.sub(r"\bid \d+", "id", text)
    text = re.sub(r"thread \d+", "thread", text)
    # Which memset it is depends on the processor, and whether it has lines on the machine.
    text = re.sub(r"#0  \S*memset\S*.*", "#0  memset", text)
    text = re.sub(r"\S*/load\.cpp", "load.cpp", text)
    return " ".join(re.sub(r"(?m)^ferry:", "", text).split())


class Readme(ToolTest):
    @plain_builds_only
    def test_error_text(self):
        sample = block_with("aclrtMemcpyAsync: stream is")
        done = run(PYTHON, "-c", WRONG_CONTEXT, LIBRARY, FERRY_DEVICES="cpu:2")
        self.assert_ok(done)
        self.assertIn(without_numbers(sample), without_numbers(done.out))

    @plain_builds_only
    def test_finding(self):
        block = block_with("std::memset(staging")
        code, sample = block.split("\n\n")
        for line in code.splitlines():
            number, text = line.split(maxsplit=1)
            self.assertEqual(LOAD.read_text().splitlines()[int(number) - 1].strip(), text.strip())
        folder = os.path.dirname(LIBRARY)
        program = self.build(CXX, "load", "-g", "-I", SOURCE / "include", LOAD, "-L", folder, "-lascendcl")
        done = ferry("run", "--check", "--", program, LD_LIBRARY_PATH=folder)
        self.assert_code(done, 86)
        self.assertIn(without_numbers(sample), without_numbers(done.err))

    def test_commands_and_options_exist(self):
        used = re.findall(
            r"(?:^    |`|&& )(?:/opt/ferry/bin/)?ferry ([a-z]+)((?: [^`#\n]*)?)", README, re.MULTILINE
        )
        self.assertGreater(len(used), 10)
        for command, rest in used:
            done = ferry("help", command)
            self.assert_ok(done)
            for option in re.findall(r"(?<= )--[a-z]+", rest.split(" -- ")[0]):
                self.assertIn(option, done.out, command)

    def test_variables_exist(self):
        known = ferry("env").out
        for name in set(re.findall(r"\bFERRY_[A-Z_]+[A-Z]\b", README)):
            self.assertIn(name, known)

    def test_links_lead_somewhere(self):
        for target in re.findall(r"\]\(([^)#]*)", README):
            if not target.startswith("https://"):
                self.assertTrue((SOURCE / target).exists(), target)

    def test_scripts_and_presets_exist(self):
        for name in set(re.findall(r"\b(?:scripts/|\./)(?:run|test|[a-z]+(?=[ `]))", README)):
            if "my_program" not in name and not name.startswith("./my"):
                self.assertTrue((SOURCE / name).exists(), name)
        presets = (SOURCE / "CMakePresets.json").read_text()
        for name in set(re.findall(r"--preset ([a-z]+)|build/([a-z]+)/tools", README)):
            self.assertIn(f'"name": "{name[0] or name[1]}"', presets)

    @plain_builds_only
    @unittest.skipIf(importlib.util.find_spec("numpy") is None, "this Python has no numpy")
    def test_python_snippet(self):
        modules = pathlib.Path(BUILD) / "python"
        if not list(modules.glob("acl*.so")):
            self.skipTest("the Python modules were not built")
        subprocess.run(
            [PYTHON, "-c", block_with("import ferry, numpy")],
            check=True,
            env=environment(PYTHONPATH=str(modules)),
        )

    def test_the_program_is_where_the_readme_says(self):
        path = re.search(r"PATH=\$PWD/build/\w+/(\S+):", README).group(1)
        self.assertEqual(pathlib.Path(FERRY), pathlib.Path(BUILD) / path / "ferry")


if __name__ == "__main__":
    main()
