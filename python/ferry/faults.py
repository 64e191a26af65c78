# SPDX-License-Identifier: Apache-2.0
"""Fault injection: makes calls fail on purpose, to test how a program handles it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from . import _native


def fail_call(function: str, code: int, nth: int = 1) -> None:
    """Makes a C function fail: its nth call from now on, or every call if nth is 0. Failures accumulate until
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
    """Removes all injected failures, including those of the variable FERRY_FAIL."""
    _native.clear_failures()


@contextmanager
def failing(function: str, code: int, nth: int = 0) -> Iterator[None]:
    """Inside the ``with`` block a C function fails: every call, or the nth. Its end removes all failures.

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
