# SPDX-License-Identifier: Apache-2.0
"""Shared by the tests of the program ferry: paths, and how to run and build programs.

ctest passes the paths in TOOLS_* variables; see CMakeLists.txt.
"""

import fcntl
import os
import pathlib
import pty
import select
import shutil
import struct
import subprocess
import sys
import tempfile
import termios
import unittest

HERE = pathlib.Path(__file__).resolve().parent
FERRY = os.environ["TOOLS_FERRY"]
LIBRARY = os.path.realpath(os.environ["TOOLS_LIBRARY"])
KV_OFFLOAD = os.environ["TOOLS_KV_OFFLOAD"]
DEVICE_FUNCTION = os.environ["TOOLS_DEVICE_FUNCTION"]
CONFORMANCE = os.environ["TOOLS_CONFORMANCE"]
SOURCE = pathlib.Path(os.environ["TOOLS_SOURCE"])
BUILD = os.environ["TOOLS_BUILD"]
CMAKE = os.environ["TOOLS_CMAKE"]
CC = os.environ["TOOLS_CC"]
CXX = os.environ["TOOLS_CXX"]
READELF = os.environ["TOOLS_READELF"]
IS_SANITIZED = os.environ.get("TOOLS_SANITIZE", "") != ""
PYTHON = sys.executable
TIMEOUT_S = 120

# A sanitized library needs a sanitized program around it; these tests load it into others.
SANITIZE = [f"-fsanitize={os.environ['TOOLS_SANITIZE']}"] if IS_SANITIZED else []
plain_builds_only = unittest.skipIf(IS_SANITIZED, "the library is sanitized")
needs_cmake = unittest.skipIf(shutil.which(CMAKE) is None, "cmake is not here")


def environment(**changes):
    """This process's environment without the variables that affect Ferry; None removes a name."""
    result = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("FERRY_", "ASCEND_", "LD_"))
        and name not in ("PYTHONPATH", "NO_COLOR", "CMAKE_PREFIX_PATH", "PKG_CONFIG_PATH")
    }
    for name, value in changes.items():
        if value is None:
            result.pop(name, None)
        else:
            result[name] = value
    return result


def run(*command, cwd=None, env=None, **changes):
    """Runs a program; returns exit code, stdout and stderr as text."""
    done = subprocess.run(
        [str(part) for part in command],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        stdin=subprocess.DEVNULL,
        cwd=cwd or tempfile.gettempdir(),
        env=env if env is not None else environment(**changes),
        timeout=TIMEOUT_S,
        text=True,
        check=False,
    )
    return Done(done.returncode, done.stdout, done.stderr)


def install(prefix):
    """Installs the build into a prefix."""
    subprocess.run(
        [CMAKE, "--install", BUILD, "--prefix", prefix],
        check=True,
        env=environment(),
        stdout=subprocess.DEVNULL,
    )


def configure(source, build, prefix, *arguments):
    """Configures a project against the installation in `prefix`."""
    return run(
        CMAKE,
        "-S",
        source,
        "-B",
        build,
        "-G",
        "Ninja",  # what this project is built with; make may be missing
        f"-DCMAKE_PREFIX_PATH={prefix}",
        f"-DCMAKE_C_COMPILER={CC}",
        f"-DCMAKE_CXX_COMPILER={CXX}",
        *arguments,
    )


def ferry(*arguments, **options):
    """Runs the ferry of the build tree."""
    return run(FERRY, *arguments, **options)


def ferry_on_terminal(*arguments, columns=80, **changes):
    """Runs ferry with a terminal for stdout and stderr; returns exit code and all output."""
    parent, child = pty.openpty()
    fcntl.ioctl(child, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    process = subprocess.Popen(
        [FERRY, *map(str, arguments)],
        stdin=subprocess.DEVNULL,
        stdout=child,
        stderr=child,
        env=environment(TERM="xterm", **changes),
    )
    os.close(child)
    text = b""
    while select.select([parent], [], [], TIMEOUT_S)[0]:
        try:
            part = os.read(parent, 4096)
        except OSError:  # the other end is closed
            break
        if not part:
            break
        text += part
    os.close(parent)
    return Done(process.wait(TIMEOUT_S), text.decode().replace("\r\n", "\n"), "")


class Done:
    """The outcome of a program: exit code and output."""

    def __init__(self, code, out, err):
        self.code = code
        self.out = out
        self.err = err

    def __repr__(self):
        return f"exit code {self.code}\n-- stdout\n{self.out}\n-- stderr\n{self.err}"


class ToolTest(unittest.TestCase):
    """A new folder per class, and assertions that show a program's output."""

    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(tempfile.mkdtemp(prefix="ferry_tools_"))
        cls.addClassCleanup(shutil.rmtree, cls.folder, True)

    def assert_code(self, done, code):
        self.assertEqual(done.code, code, done)

    def assert_ok(self, done):
        self.assert_code(done, 0)
        self.assertEqual(done.err, "", done)

    def assert_usage(self, done, *words):
        """Exit code 2, nothing on stdout, and one line that contains these words."""
        self.assert_code(done, 2)
        self.assertEqual(done.out, "", done)
        self.assert_complaint(done, *words)

    def assert_complaint(self, done, *words):
        self.assertEqual(done.err.count("\n"), 1, done)
        for word in words:
            self.assertIn(word, done.err, done)

    def build(self, compiler, output, *arguments):
        done = run(compiler, "-o", self.folder / output, *arguments)
        self.assertEqual(done.code, 0, done)
        return self.folder / output

    def write(self, name, text, mode=0o755):
        path = self.folder / name
        path.write_text(text)
        path.chmod(mode)
        return path


def main():
    unittest.main(verbosity=2)
