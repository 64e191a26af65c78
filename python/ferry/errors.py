# SPDX-License-Identifier: Apache-2.0
"""Exceptions. Each code of the interface becomes an AclError; the common ones have classes of their
own, which are also what Python itself would raise (ValueError, MemoryError, TimeoutError ...).

>>> import ferry
>>> try:
...     ferry.Device(99).activate()
... except ferry.InvalidDeviceError as error:
...     print(error.code, error.name, error.function, error.argument, error.value)
107001 RT_INVALID_DEVICEID aclrtSetDevice deviceId 99
"""

from __future__ import annotations

from . import _native
from .constants import ErrorCode


class AclError(Exception):
    """A call of the interface returned a code other than 0.

    code: the number. name: its name without ``ACL_ERROR_``. message or text: the library's text, one line.
    function: the C function. index: the item of a batch that is at fault, or None.

    The other parts of the text, each "" where it does not apply: argument, which one is to blame; value, what
    it was; allowed, what it may be; message_code, the code in brackets.
    """

    hint = ""

    def __init__(
        self,
        code: int,
        function: str = "",
        message: str = "",
        index: int | None = None,
        message_code: str = "",
        argument: str = "",
        value: str = "",
        allowed: str = "",
    ) -> None:
        self.code = int(code)
        self.function = function
        self.message = message
        self.index = index
        self.message_code = message_code
        self.argument = argument
        self.value = value
        self.allowed = allowed
        super().__init__(code, function, message, index)

    @property
    def text(self) -> str:
        return self.message

    @property
    def name(self) -> str:
        return name_of(self.code)

    def __str__(self) -> str:
        text = self.message or f"{self.function} failed" if self.function else self.message
        parts = [f"[{self.code} {self.name}] {text}".rstrip()]
        if self.index is not None:
            parts.append(f"item {self.index} of the batch is at fault")
        if self.hint:
            parts.append(self.hint)
        return "; ".join(parts)


class InvalidArgumentError(AclError, ValueError):
    """An argument is not allowed: a range leaves its allocation, or a batch goes in two directions."""


class InvalidDeviceError(AclError, ValueError):
    """There is no device with this number."""

    hint = "FERRY_DEVICES=cpu:8 gives eight devices"


class NoContextError(AclError):
    """The calling thread has no context."""

    hint = "every thread chooses its device itself: use `with ferry.Device(0):` in this thread"


class WrongContextError(AclError):
    """A stream belongs to another context than the calling thread uses."""

    hint = "use the stream inside the Device or Context it was made in"


class InvalidHandleError(AclError):
    """A stream or event is gone, for example because its device was reset under it."""


class StreamAbortedError(AclError):
    """Queued work was thrown away before it ran."""


class NotSupportedError(AclError, NotImplementedError):
    """The function, the product that is played, or this direction of a copy is not supported."""


class OutOfMemoryError(AclError, MemoryError):
    """No device memory, or no pinned memory, is left."""


class OutOfResourcesError(AclError):
    """No stream, event or notify is left on the device."""


class AclTimeoutError(AclError, TimeoutError):
    """The time is over. The work goes on: its memory must stay."""


class TaskFailedError(AclError):
    """Work that was queued earlier failed when it ran."""


class SetupError(AclError):
    """The device cannot be opened, or a FERRY_ variable is wrong."""

    hint = "`python -m ferry env` shows the variables"


class ClosedError(ValueError):
    """An object was used after it was closed."""


_CLASSES: dict[int, type[AclError]] = {
    ErrorCode.INVALID_PARAM: InvalidArgumentError,
    ErrorCode.RT_PARAM_INVALID: InvalidArgumentError,
    ErrorCode.RT_INVALID_DEVICEID: InvalidDeviceError,
    ErrorCode.RT_CONTEXT_NULL: NoContextError,
    ErrorCode.RT_STREAM_CONTEXT: WrongContextError,
    ErrorCode.RT_INVALID_HANDLE: InvalidHandleError,
    ErrorCode.RT_STREAM_ABORT: StreamAbortedError,
    ErrorCode.RT_FEATURE_NOT_SUPPORT: NotSupportedError,
    ErrorCode.API_NOT_SUPPORT: NotSupportedError,
    ErrorCode.FEATURE_UNSUPPORTED: NotSupportedError,
    ErrorCode.RT_MEMORY_ALLOCATION: OutOfMemoryError,
    ErrorCode.RT_DEVICE_OOM: OutOfMemoryError,
    ErrorCode.BAD_ALLOC: OutOfMemoryError,
    ErrorCode.RT_NO_STREAM_RESOURCE: OutOfResourcesError,
    ErrorCode.RT_NO_EVENT_RESOURCE: OutOfResourcesError,
    ErrorCode.RT_NO_NOTIFY_RESOURCE: OutOfResourcesError,
    ErrorCode.RT_STREAM_SYNC_TIMEOUT: AclTimeoutError,
    ErrorCode.RT_EVENT_SYNC_TIMEOUT: AclTimeoutError,
    ErrorCode.RT_REPORT_TIMEOUT: AclTimeoutError,
    ErrorCode.RT_WAIT_TIMEOUT: AclTimeoutError,
    ErrorCode.RT_TS_ERROR: TaskFailedError,
    ErrorCode.RT_SYS_DMA: TaskFailedError,
    ErrorCode.RT_AICORE_EXCEPTION: TaskFailedError,
    ErrorCode.RT_DEVICE_MEM_ERROR: TaskFailedError,
    ErrorCode.RT_SUSPECT_REMOTE_ERROR: TaskFailedError,
    ErrorCode.RT_DEV_SETUP_ERROR: SetupError,
}


def name_of(code: int) -> str:
    """The name of a code, without the prefix ``ACL_ERROR_``.

    >>> name_of(107002)
    'RT_CONTEXT_NULL'
    """
    try:
        return ErrorCode(code).name
    except ValueError:
        return "UNKNOWN"


def from_code(
    code: int, function: str, message: str = "", index: int | None = None, *fields: str
) -> AclError:
    """The exception for a code, not raised. Fields: message_code, argument, value, allowed."""
    return _CLASSES.get(code, AclError)(code, function, message, index, *fields)


def check(code: int, function: str = "") -> None:
    """Raises the exception for a code that a function of ``acl`` returned, unless it is 0. Call it at
    once: text and fields belong to the latest failure of the thread.

    >>> import acl
    >>> check(acl.rt.free(0), "aclrtFree")
    Traceback (most recent call last):
    ferry.errors.InvalidArgumentError: [100000 INVALID_PARAM] aclrtFree: devPtr is NULL (EH0008)
    """
    if code != 0:
        raise from_code(*_native.take_error(code, function))
