# SPDX-License-Identifier: Apache-2.0
# acl.util: types for checkers and editors. test_acl_surface.py compares them with the module.
from collections.abc import Callable
from typing import Any

def bytes_to_ptr(data: bytes, /) -> int:
    """Address of the bytes. Keep a reference: only the latest inputs are kept alive."""

def numpy_contiguous_to_ptr(array: Any, /) -> tuple[int, Any]:
    """Address of an array made contiguous, and that array. Deprecated."""

def numpy_to_ptr(array: Any, /) -> int:
    """Address of an array. Deprecated; warns if the array is not contiguous."""

def ptr_to_bytes(ptr: int, size: int, /) -> bytes:
    """A copy of host memory. ValueError if the host cannot read it."""

def ptr_to_numpy(ptr: int, shape: tuple[int, ...], npy_type: int, /) -> Any:
    """An array over host memory, which must outlive it; npy_type is numpy's number.
    Deprecated. ValueError if the host cannot read it."""

def start_thread(func: Callable[[Any], object], args: Any, /) -> tuple[int, int]:
    """Runs func(args) on a new thread; returns the identifier that subscribe_report takes."""

def stop_thread(thread_id: int, /) -> int:
    """Waits until a thread of start_thread has ended; does not interrupt it."""
