# SPDX-License-Identifier: Apache-2.0
"""The interface's constants, as enumerations. Every member is an int, so that it can be passed to any
function of ``acl``.

>>> from ferry import MemcpyKind
>>> MemcpyKind.HOST_TO_DEVICE == 1
True
"""

from __future__ import annotations

from enum import IntEnum, IntFlag


class MemcpyKind(IntEnum):
    """Direction of a copy. ``DEFAULT`` derives it from the addresses."""

    HOST_TO_HOST = 0
    HOST_TO_DEVICE = 1
    DEVICE_TO_HOST = 2
    DEVICE_TO_DEVICE = 3
    DEFAULT = 4
    HOST_TO_BUF_TO_DEVICE = 5
    INNER_DEVICE_TO_DEVICE = 6
    INTER_DEVICE_TO_DEVICE = 7


class MallocPolicy(IntFlag):
    """Page size of device memory. The members that start with ``TYPE`` and ``ACCESS`` can be combined with
    the others."""

    HUGE_FIRST = 0
    HUGE_ONLY = 1
    NORMAL_ONLY = 2
    HUGE_FIRST_P2P = 3
    HUGE_ONLY_P2P = 4
    NORMAL_ONLY_P2P = 5
    HUGE1G_ONLY = 6
    HUGE1G_ONLY_P2P = 7
    TYPE_LOW_BAND_WIDTH = 0x100
    TYPE_HIGH_BAND_WIDTH = 0x1000
    ACCESS_USER_SPACE_READONLY = 0x100000


class MemAttr(IntEnum):
    """Kind of memory for ``acl.rt.get_mem_info``. Not the number of a device."""

    DDR = 0
    HBM = 1
    DDR_HUGE = 2
    DDR_NORMAL = 3
    HBM_HUGE = 4
    HBM_NORMAL = 5


class MemLocation(IntEnum):
    """Location of memory."""

    HOST = 0
    DEVICE = 1
    UNREGISTERED = 2
    MANAGED = 3
    HOST_NUMA = 4


class HostRegisterType(IntFlag):
    """Type for ``acl.rt.host_register``."""

    MAPPED = 0
    IOMEMORY = 0x4
    READONLY = 0x8


class HostRegisterFlag(IntFlag):
    """Flags for ``acl.rt.host_register_v2``."""

    MAPPED = 0x2
    IOMEMORY = 0x4
    READONLY = 0x8
    PINNED = 0x10000000


class StreamFlag(IntFlag):
    """Flags of a stream."""

    NONE = 0
    FAST_LAUNCH = 0x1
    FAST_SYNC = 0x2
    PERSISTENT = 0x4
    HUGE = 0x8
    CPU_SCHEDULE = 0x10
    DEVICE_USE_ONLY = 0x20


class StreamStatus(IntEnum):
    """Result of ``acl.rt.stream_query``."""

    COMPLETE = 0
    NOT_READY = 1


class StreamAttr(IntEnum):
    """Attributes for ``acl.rt.set_stream_attribute``."""

    FAILURE_MODE = 1
    FLOAT_OVERFLOW_CHECK = 2
    USER_CUSTOM_TAG = 3
    CACHE_OP_INFO = 4
    PRIORITY = 5


class FailureMode(IntEnum):
    """What a stream does after one of its tasks has failed."""

    CONTINUE = 0
    STOP = 1


class EventFlag(IntFlag):
    """What an event can be used for."""

    SYNC = 0x1
    CAPTURE_STREAM_PROGRESS = 0x2
    TIME_LINE = 0x8
    DEVICE_USE_ONLY = 0x10
    EXTERNAL = 0x20
    IPC = 0x40


class EventStatus(IntEnum):
    """Result of the older ``acl.rt.query_event``."""

    COMPLETE = 0
    NOT_READY = 1


class EventRecordedStatus(IntEnum):
    """Result of ``acl.rt.query_event_status``. Its values are the reverse of EventStatus."""

    NOT_READY = 0
    COMPLETE = 1


class CallbackBlockType(IntEnum):
    """Whether a stream waits for a callback."""

    NO_BLOCK = 0
    BLOCK = 1


class RunMode(IntEnum):
    """Where the program runs."""

    DEVICE = 0
    HOST = 1


class ErrorCode(IntEnum):
    """Return codes, without the prefix ``ACL_ERROR_``."""

    SUCCESS = 0
    INVALID_PARAM = 100000
    UNINITIALIZE = 100001
    REPEAT_INITIALIZE = 100002
    INVALID_FILE = 100003
    PARSE_FILE = 100006
    REPEAT_SUBSCRIBE = 100033
    WAIT_CALLBACK_TIMEOUT = 100036
    REPEAT_FINALIZE = 100037
    RT_PARAM_INVALID = 107000
    RT_INVALID_DEVICEID = 107001
    RT_CONTEXT_NULL = 107002
    RT_STREAM_CONTEXT = 107003
    RT_EVENT_TIMESTAMP_INVALID = 107006
    RT_EVENT_TIMESTAMP_REVERSAL = 107007
    RT_ADDR_UNALIGNED = 107008
    RT_STREAM_SUBSCRIBE = 107011
    RT_THREAD_SUBSCRIBE = 107012
    RT_STREAM_NO_CB_REG = 107015
    RT_INVALID_HANDLE = 107017
    RT_WAIT_TIMEOUT = 107019
    RT_TASK_TIMEOUT = 107020
    RT_DEVICE_TASK_ABORT = 107022
    RT_STREAM_ABORT = 107023
    BAD_ALLOC = 200000
    API_NOT_SUPPORT = 200001
    FEATURE_UNSUPPORTED = 200006
    RT_FEATURE_NOT_SUPPORT = 207000
    RT_MEMORY_ALLOCATION = 207001
    RT_NO_DEVICE = 207004
    RT_RESOURCE_ALLOC_FAIL = 207005
    RT_NO_PERMISSION = 207006
    RT_NO_EVENT_RESOURCE = 207007
    RT_NO_STREAM_RESOURCE = 207008
    RT_NO_NOTIFY_RESOURCE = 207009
    RT_DEVICE_OOM = 207018
    RT_LINK_TYPE_NOT_SUPPORTED = 207021
    INTERNAL_ERROR = 500000
    FAILURE = 500001
    RT_INTERNAL_ERROR = 507000
    RT_TS_ERROR = 507001
    RT_STREAM_NOT_COMPLETE = 507004
    RT_EVENT_NOT_COMPLETE = 507006
    RT_CONTEXT_RELEASE_ERROR = 507007
    RT_REPORT_TIMEOUT = 507012
    RT_SYS_DMA = 507013
    RT_AICORE_EXCEPTION = 507015
    RT_DEV_SETUP_ERROR = 507033
    RT_STREAM_SYNC_TIMEOUT = 507046
    RT_EVENT_SYNC_TIMEOUT = 507047
    RT_DEVICE_MEM_ERROR = 507053
    RT_SUSPECT_REMOTE_ERROR = 507057
    RT_DRV_INTERNAL_ERROR = 507899
    HOST_MEMORY_ALREADY_REGISTERED = 507910
    HOST_MEMORY_NOT_REGISTERED = 507911
