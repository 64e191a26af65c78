# SPDX-License-Identifier: Apache-2.0
"""The bytes that one process sends to another, so that it can open memory. Internal to buffers."""

from __future__ import annotations

from collections.abc import Iterable
from operator import index

import acl

from .errors import check

# The bytes are ASCII: this, the size, and the key of the memory.
_MAGIC = "ferry-memory-1"
_KEY_LENGTH = 65
_EVERY_PROCESS = 1
_PIDS_PER_CALL = 31


def export(address: int, nbytes: int, processes: Iterable[int] | None) -> bytes:
    """Makes a key for device memory. The key ends when the memory is freed."""
    pids = None if processes is None else [index(pid) for pid in processes]
    if pids is not None and not pids:
        raise ValueError("processes is empty: no process could open the memory")
    flags = _EVERY_PROCESS if pids is None else 0
    key, code = acl.rt.ipc_mem_get_export_key(address, nbytes, _KEY_LENGTH, flags)
    check(code, "aclrtIpcMemGetExportKey")
    try:
        for first in range(0, len(pids or ()), _PIDS_PER_CALL):
            code = acl.rt.ipc_mem_set_import_pid(key, (pids or [])[first : first + _PIDS_PER_CALL])
            check(code, "aclrtIpcMemSetImportPid")
    except BaseException:
        acl.rt.ipc_mem_close(key)
        raise
    return f"{_MAGIC}:{nbytes}:{key}".encode()


def parse(data: bytes | bytearray | memoryview) -> tuple[str, int]:
    """The key and the size of the memory."""
    if not isinstance(data, (bytes, bytearray, memoryview)):
        raise TypeError(f"data is bytes from Buffer.share, not a {type(data).__name__}")
    try:
        magic, nbytes, key = bytes(data).decode("ascii").split(":", 2)
        if magic != _MAGIC or not nbytes.isdigit() or int(nbytes) == 0 or not key:
            raise ValueError
    except ValueError:
        raise ValueError("data is not what Buffer.share returned") from None
    return key, int(nbytes)
