# SPDX-License-Identifier: Apache-2.0
"""Which releases of torch and torch_npu are installed. Read before either is imported: one that does not fit
may end the process while it is being imported."""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError, version

# What the module was tested with: the first two numbers of both packages.
_RELEASES = ("2.9", "2.10", "2.11", "2.12")


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


def check() -> None:
    """ImportError with one sentence when the two packages cannot work here."""
    torch, torch_npu = _release("torch"), _release("torch_npu")
    if torch != torch_npu:
        raise ImportError(
            f"torch {version('torch')} and torch_npu {version('torch_npu')} are installed; "
            "their releases must be the same"
        )
