# SPDX-License-Identifier: Apache-2.0
"""Calls that fail on purpose, to see how a program takes it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from . import _native


def fail_call(function: str, code: int, nth: int = 1) -> None:
    """Makes a C function fail: its nth call from now on, or every call when nth is 0. Failures add up until
    clear_failures().

    >>> import ferry
    >>> ferry.fail_call("aclrtMalloc", ferry.ErrorCode.RT_MEMORY_ALLOCATION)
    >>> with ferry.Device(0):
    ...     try:
    ...         ferry.Buffer(64)
    ...     except MemoryError as error:
    ...         print(error.code)
    207001
    >>> ferry.clear_failures()
    """
    _native.fail_call(function, nth, int(code))


def clear_failures() -> None:
    """Takes back all failures that were ordered, those of the variable FERRY_FAIL included."""
    _native.clear_failures()


@contextmanager
def failing(function: str, code: int, nth: int = 0) -> Iterator[None]:
    """A block in which a C function fails: every call, or the nth. At its end all failures are taken back.

    >>> import ferry
    >>> with ferry.Device(0), ferry.failing("aclrtMalloc", 207001):
    ...     ferry.Buffer(64)
    Traceback (most recent call last):
    ferry.errors.OutOfMemoryError: [207001 RT_MEMORY_ALLOCATION] aclrtMalloc: failed on purpose...
    """
    fail_call(function, code, nth)
    try:
        yield
    finally:
        clear_failures()
