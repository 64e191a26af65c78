# SPDX-License-Identifier: Apache-2.0
"""Memory copies between host and device that are hard to get wrong. Built on the module ``acl``, and usable
together with it: every object here has a ``handle`` or an ``address`` that the functions of ``acl`` take.

>>> import ferry
>>> with ferry.Device(0), ferry.Stream() as stream, ferry.Buffer(8) as buffer:
...     array = ferry.pinned_empty(2, "float32")
...     array[:] = [1.5, 2.5]
...     transfer = ferry.copy_async(buffer, array, stream=stream)
...     transfer.wait()
...     buffer.numpy("float32").tolist()
[1.5, 2.5]
"""

import atexit

from . import _native, checker
from .buffer import Buffer, BufferView, DeviceMemory, OwnedMemory, open_shared, pinned_bytes, pinned_empty
from .constants import (
    CallbackBlockType,
    ErrorCode,
    EventFlag,
    EventRecordedStatus,
    EventStatus,
    FailureMode,
    HostRegisterFlag,
    HostRegisterType,
    MallocPolicy,
    MemAttr,
    MemcpyKind,
    MemLocation,
    RunMode,
    StreamAttr,
    StreamFlag,
    StreamStatus,
)
from .context import Context, Device, MemoryInfo
from .copies import copy, copy_async, copy_batch, copy_batch_async
from .errors import (
    AclError,
    AclTimeoutError,
    ClosedError,
    InvalidArgumentError,
    InvalidDeviceError,
    InvalidHandleError,
    NoContextError,
    NotSupportedError,
    OutOfMemoryError,
    OutOfResourcesError,
    SetupError,
    StreamAbortedError,
    TaskFailedError,
    WrongContextError,
    check,
)
from .faults import clear_failures, fail_call, failing
from .growing import GrowingBuffer
from .kernels import Declaration, KernelUse, Launch, kernel, kernel_uses, launch_kernel, unregister_kernel
from .statistics import DeviceStats, Stats, count_calls, stats
from .stream import Event, Stream, Transfer
from .tracing import Range, Trace, mark, range, trace

__version__ = _native.version()

__all__ = [
    "AclError",
    "AclTimeoutError",
    "Buffer",
    "BufferView",
    "CallbackBlockType",
    "ClosedError",
    "Context",
    "Declaration",
    "Device",
    "DeviceMemory",
    "DeviceStats",
    "ErrorCode",
    "Event",
    "EventFlag",
    "EventRecordedStatus",
    "EventStatus",
    "FailureMode",
    "GrowingBuffer",
    "HostRegisterFlag",
    "HostRegisterType",
    "InvalidArgumentError",
    "InvalidDeviceError",
    "InvalidHandleError",
    "KernelUse",
    "Launch",
    "MallocPolicy",
    "MemAttr",
    "MemLocation",
    "MemcpyKind",
    "MemoryInfo",
    "NoContextError",
    "NotSupportedError",
    "OutOfMemoryError",
    "OutOfResourcesError",
    "OwnedMemory",
    "Range",
    "RunMode",
    "SetupError",
    "Stats",
    "Stream",
    "StreamAbortedError",
    "StreamAttr",
    "StreamFlag",
    "StreamStatus",
    "TaskFailedError",
    "Trace",
    "Transfer",
    "WrongContextError",
    "check",
    "checker",
    "clear_failures",
    "copy",
    "copy_async",
    "copy_batch",
    "copy_batch_async",
    "count_calls",
    "fail_call",
    "failing",
    "kernel",
    "kernel_uses",
    "launch_kernel",
    "mark",
    "open_shared",
    "pinned_bytes",
    "pinned_empty",
    "range",
    "stats",
    "trace",
    "unregister_kernel",
]

# Copies may still be running when the process ends. Nothing they use is freed: the kernel reclaims it.
atexit.register(_native.stop_giving_back)
