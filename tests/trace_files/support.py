# SPDX-License-Identifier: Apache-2.0
"""Shared by the tests of trace files: the program that writes them, and a folder for them."""

import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

HAS_ZLIB = os.environ["HAS_ZLIB"] == "1"
HAS_PROTOZERO = os.environ["HAS_PROTOZERO"] == "1"
needs_zlib = unittest.skipUnless(HAS_ZLIB, "built without zlib")
needs_protozero = unittest.skipUnless(HAS_PROTOZERO, "built without protozero")
TIMEOUT_S = 120


def write_trace(path, *mode, **options):
    """Runs the program; returns its exit code and what it printed."""
    done = subprocess.run(
        [os.environ["WRITE_TRACE"], os.environ["TRACE_PLUGIN"], str(path), *map(str, mode)],
        stdout=subprocess.PIPE,
        stdin=subprocess.DEVNULL,
        timeout=TIMEOUT_S,
        text=True,
        check=False,
        **options,
    )
    return done.returncode, done.stdout


class TraceTest(unittest.TestCase):
    """A new folder per test."""

    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="ferry_trace_"))
        self.addCleanup(shutil.rmtree, self.folder, True)

    def write(self, name, *mode):
        path = self.folder / name
        self.assertEqual(write_trace(f"{self.folder}/{name}", *mode), (0, ""))
        return path


def main():
    unittest.main(verbosity=2)
