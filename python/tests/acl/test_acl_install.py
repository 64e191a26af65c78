# SPDX-License-Identifier: Apache-2.0
"""The CMake install has both packages under python/site-packages, and they find its library."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

BUILD = os.environ.get("BUILD_FOLDER")


@pytest.mark.skipif(BUILD is None, reason="only ctest knows the build folder")
def test_installed_packages(tmp_path: Path) -> None:
    assert BUILD is not None
    subprocess.run(
        ["cmake", "--install", BUILD, "--prefix", str(tmp_path)], check=True, stdout=subprocess.DEVNULL
    )
    site = tmp_path / "python" / "site-packages"
    script = """
import acl, ferry
assert acl.rt.set_device(0) == 0
libraries = {line.split()[-1] for line in open("/proc/self/maps") if "ascendcl" in line}
print(acl.__file__, ferry.__file__, *libraries)
"""
    done = subprocess.run(
        [sys.executable, "-c", script],
        env={"PYTHONPATH": str(site)},
        cwd="/",
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.split() == [
        str(next(site.glob("acl.*.so"))),
        str(site / "ferry" / "__init__.py"),
        str(tmp_path / "lib64" / "libascendcl.so"),
    ]
    assert {file.name for file in (site / "acl-stubs").iterdir()} == {"__init__.pyi", "rt.pyi", "util.pyi"}
    assert (site / "ferry" / "py.typed").exists()
