# SPDX-License-Identifier: Apache-2.0
"""Device and Context: where a thread's work runs. Each thread has its own current context, and a new thread
has none. Both classes restore the previous context at the end of their ``with`` block.
"""

from __future__ import annotations

import math
import sys
import threading
import time
import warnings
import weakref
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import TracebackType
from typing import Any, NamedTuple

import acl

from . import _native
from .constants import ErrorCode, MemAttr
from .errors import ClosedError, check


def current_context() -> int | None:
    """The handle of the calling thread's context, or None."""
    handle, code = acl.rt.get_context()
    if code == ErrorCode.RT_CONTEXT_NULL:
        acl.get_recent_err_msg()  # no context is a valid answer here, not a failure
        return None
    check(code, "aclrtGetCurrentContext")
    return int(handle)


# The C functions do not check for signals. The main thread waits in slices, so that Ctrl-C works.
_SLICE_SECONDS = 0.25


def wait_for(wait: Callable[[int], int], timeout: float | None) -> int:
    """Calls `wait` with a time in milliseconds (-1: no limit) until it returns something other than a timeout
    code, or `timeout` seconds have passed. Returns its last result."""
    if timeout is not None and timeout < 0:
        raise ValueError(f"timeout is {timeout}, allowed is None or 0 and more seconds")
    if threading.current_thread() is not threading.main_thread():
        return wait(-1 if timeout is None else _milliseconds(timeout))
    end = None if timeout is None else time.monotonic() + timeout
    last_error = acl.rt.peek_at_last_error(0)
    while True:
        left = _SLICE_SECONDS if end is None else min(_SLICE_SECONDS, end - time.monotonic())
        code = wait(_milliseconds(left))
        if code not in (ErrorCode.RT_STREAM_SYNC_TIMEOUT, ErrorCode.RT_EVENT_SYNC_TIMEOUT):
            return code
        if end is not None and time.monotonic() >= end:
            return code
        # The end of a slice is not a failure: it must leave no trace.
        acl.get_recent_err_msg()
        if last_error == 0:
            acl.rt.get_last_error(0)


def _milliseconds(seconds: float) -> int:
    return min(max(1, math.ceil(seconds * 1000)), 0x7FFFFFFF)


class _Befores(threading.local):
    """The contexts that this thread's open blocks have to restore."""

    def __init__(self) -> None:
        self.stack: list[int | None] = []

    def enter(self) -> None:
        self.stack.append(current_context())

    def leave(self) -> None:
        before = self.stack.pop()
        if before is None:
            return
        if acl.rt.set_context(before) != 0:
            acl.get_recent_err_msg()  # it was destroyed inside the block: nothing to restore


class MemoryInfo(NamedTuple):
    """Memory of a device, in bytes."""

    free: int
    total: int

    @property
    def used(self) -> int:
        return self.total - self.free


class Device:
    """A device, by number. Inside its ``with`` block it is the calling thread's device.

    >>> import ferry
    >>> with ferry.Device(0) as device:
    ...     with ferry.Buffer(1024) as buffer:
    ...         buffer.device_id
    0

    A Device owns nothing: it can be entered any number of times, from any number of threads.
    """

    def __init__(self, id: int = 0) -> None:
        if isinstance(id, bool) or not isinstance(id, int):
            raise TypeError(f"the number of a device is an int, not a {type(id).__name__}")
        self._id = id
        self._befores = _Befores()

    @property
    def id(self) -> int:
        return self._id

    @staticmethod
    def count() -> int:
        """The number of devices.

        >>> Device.count() >= 1
        True
        """
        count, code = acl.rt.get_device_count()
        check(code, "aclrtGetDeviceCount")
        return int(count)

    @staticmethod
    def current() -> Device:
        """The calling thread's device; NoContextError if it has none."""
        id, code = acl.rt.get_device()
        check(code, "aclrtGetDevice")
        return Device(int(id))

    def activate(self) -> None:
        """Makes it the calling thread's device, without restoring the previous one. For pool threads:

        >>> from concurrent.futures import ThreadPoolExecutor
        >>> with ThreadPoolExecutor(1, initializer=Device(0).activate) as pool:
        ...     pool.submit(Device.current).result()
        Device(0)
        """
        check(acl.rt.set_device(self._id), "aclrtSetDevice")
        _default_contexts[self._id] = current_context()

    def __enter__(self) -> Device:
        self._befores.enter()
        try:
            self.activate()
        except BaseException:
            self._befores.stack.pop()
            raise
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._befores.leave()
        code = acl.rt.reset_device(self._id)
        if error is None:
            check(code, "aclrtResetDevice")

    def synchronize(self, timeout: float | None = None) -> None:
        """Waits for all work in the device's default context, at most `timeout` seconds."""
        with self:
            code = wait_for(acl.rt.synchronize_device_with_timeout, timeout)
            check(code, "aclrtSynchronizeDeviceWithTimeout")

    def memory(self) -> MemoryInfo:
        """The device's memory.

        >>> info = Device(0).memory()
        >>> 0 < info.free <= info.total
        True
        """
        with self:
            free, total, code = acl.rt.get_mem_info(int(MemAttr.HBM))
            check(code, "aclrtGetMemInfo")
        return MemoryInfo(int(free), int(total))

    def __repr__(self) -> str:
        return f"Device({self._id})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Device) and other._id == self._id

    def __hash__(self) -> int:
        return hash((Device, self._id))

    def __reduce__(self) -> tuple[Any, ...]:
        return (Device, (self._id,))


class Context:
    """A new context on a device, destroyed at the end of its ``with`` block.

    >>> import ferry
    >>> with ferry.Context(0), ferry.Stream() as stream:
    ...     stream.synchronize()

    Other threads use it with ``with context.active():``, which does not destroy it.
    """

    _handle = 0

    def __init__(self, device: int | Device = 0) -> None:
        self._device = device if isinstance(device, Device) else Device(device)
        self._befores = _Befores()
        before = current_context()
        handle, code = acl.rt.create_context(self._device.id)
        check(code, "aclrtCreateContext")
        self._handle = int(handle)
        _contexts[self._handle] = self
        if before is not None:
            check(acl.rt.set_context(before), "aclrtSetCurrentContext")

    @property
    def handle(self) -> int:
        """The handle that functions of ``acl`` take."""
        if self._handle == 0:
            raise ClosedError("the Context is closed")
        return self._handle

    @property
    def device(self) -> Device:
        return self._device

    @property
    def closed(self) -> bool:
        return self._handle == 0

    def activate(self) -> None:
        """Makes it the calling thread's context, without restoring the previous one."""
        check(acl.rt.set_context(self.handle), "aclrtSetCurrentContext")

    @contextmanager
    def active(self) -> Iterator[Context]:
        """Makes it the calling thread's context for a ``with`` block, then restores the previous one."""
        self._befores.enter()
        try:
            self.activate()
            yield self
        finally:
            self._befores.leave()

    def close(self) -> None:
        """Waits for its work, then destroys it and its streams. Closing twice is allowed."""
        handle, self._handle = self._handle, 0
        if handle == 0:
            return
        _contexts.pop(handle, None)
        check(acl.rt.destroy_context(handle), "aclrtDestroyContext")

    def __enter__(self) -> Context:
        handle = self.handle
        self._befores.enter()
        check(acl.rt.set_context(handle), "aclrtSetCurrentContext")
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._befores.leave()
        try:
            self.close()
        except Exception:
            if error is None:
                raise

    def __del__(self) -> None:
        handle, self._handle = self._handle, 0
        if handle == 0 or sys.is_finalizing():
            return
        try:
            warnings.warn(
                f"a {type(self).__name__} was never closed", ResourceWarning, source=self, stacklevel=2
            )
        finally:
            # Destroying waits for queued work, and a finaliser must not wait.
            if not _native.stream_is_busy(handle, 0):
                acl.rt.destroy_context(handle)

    def __repr__(self) -> str:
        state = "closed" if self.closed else f"{self._handle:#x}"
        return f"<ferry.Context {state} on device {self._device.id}>"


# Streams keep a reference to the Context they were created in; they find it here.
_contexts: weakref.WeakValueDictionary[int, Context] = weakref.WeakValueDictionary()


# Each device's default context, as of the last time the device was made current.
_default_contexts: dict[int, int | None] = {}


def device_of_default(handle: int) -> int | None:
    """The device whose default context this is, or None."""
    return next((id for id, context in list(_default_contexts.items()) if context == handle), None)


def has_default(device: int, handle: int) -> bool:
    """Whether this is still the device's default context. Does not use `handle` in a call: the context may
    be destroyed."""
    active, _, code = acl.rt.get_primary_ctx_state(device)
    return bool(code == 0 and active and _default_contexts.get(device) == handle)


def context_object(handle: int) -> Context | None:
    """The Context object of a handle, if this package created it and it is still referenced."""
    return _contexts.get(handle)
