# SPDX-License-Identifier: Apache-2.0
"""Which releases of torch and torch_npu are installed. Read before either is imported: one that does not fit
may end the process while it is being imported."""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path

# What the module was tested with: the first two numbers of both packages.
_RELEASES = ("2.9", "2.10", "2.11", "2.12")

# Builds of torch_npu that end the process beside a torch with CUDA, or are expected to: both register the
# same options. 2.14 was seen to do that, too, and 2.13 has the options.
_ABORTING = ("2.10.0.post7", "2.11.0.post3", "2.12.0.post3")


def _release(package: str) -> str:
    try:
        installed = version(package)
    except PackageNotFoundError:
        raise ImportError(f"{package} is not installed; ferry.torch needs torch and torch_npu") from None
    release = ".".join(installed.split(".")[:2])
    if release not in _RELEASES:
        raise ImportError(
            f"{package} {installed} is installed; ferry.torch works with the releases {', '.join(_RELEASES)}"
        )
    return release


def _has_cuda() -> bool:
    found = find_spec("torch")
    folder = None if found is None or found.origin is None else Path(found.origin).parent
    return folder is not None and (folder / "lib" / "libtorch_cuda.so").exists()


def check() -> None:
    """ImportError with one sentence when the two packages cannot work here."""
    torch, torch_npu = _release("torch"), _release("torch_npu")
    if torch != torch_npu:
        raise ImportError(
            f"torch {version('torch')} and torch_npu {version('torch_npu')} are installed; "
            "their releases must be the same"
        )
    if version("torch_npu") in _ABORTING and _has_cuda():
        raise ImportError(
            f"torch_npu {version('torch_npu')} ends the process beside a torch with CUDA, which PyPI's is on "
            f"x86-64; install an earlier build of torch_npu {torch_npu}"
        )
