# SPDX-License-Identifier: Apache-2.0
"""A release of torch or torch_npu that does not fit is refused with one sentence."""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError

import pytest

from ferry.torch import _versions


def installed(monkeypatch: pytest.MonkeyPatch, **versions: str) -> None:
    def version(package: str) -> str:
        if package not in versions:
            raise PackageNotFoundError(package)
        return versions[package]

    monkeypatch.setattr(_versions, "version", version)


@pytest.mark.parametrize("release", ["2.9.0", "2.12.1+cpu", "2.10.0.post4"])
def test_releases_that_fit(monkeypatch: pytest.MonkeyPatch, release: str) -> None:
    installed(monkeypatch, torch=release, torch_npu=release)
    _versions.check()


@pytest.mark.parametrize(
    ("versions", "sentence"),
    [
        ({"torch": "2.10.0"}, "torch_npu is not installed"),
        ({"torch": "2.1.0", "torch_npu": "2.1.0.post8"}, "torch 2.1.0 is installed"),
        ({"torch": "2.10.0", "torch_npu": "3.0.0"}, "torch_npu 3.0.0 is installed"),
        ({"torch": "2.11.0", "torch_npu": "2.10.0.post4"}, "must be the same"),
    ],
)
def test_releases_that_do_not(
    monkeypatch: pytest.MonkeyPatch, versions: dict[str, str], sentence: str
) -> None:
    installed(monkeypatch, **versions)
    with pytest.raises(ImportError, match=sentence) as refused:
        _versions.check()
    assert "\n" not in str(refused.value)


def test_a_build_that_would_end_the_process_is_refused_beside_cuda(monkeypatch: pytest.MonkeyPatch) -> None:
    installed(monkeypatch, torch="2.10.0", torch_npu="2.10.0.post7")
    monkeypatch.setattr(_versions, "_has_cuda", lambda: True)
    with pytest.raises(ImportError, match="install an earlier build of torch_npu"):
        _versions.check()
    monkeypatch.setattr(_versions, "_has_cuda", lambda: False)
    _versions.check()
