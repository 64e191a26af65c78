# SPDX-License-Identifier: Apache-2.0
"""Loads the libraries that torch_npu names, so that it can be imported without any variable set."""

from __future__ import annotations

import ctypes
import os
from importlib.metadata import version
from pathlib import Path

from .. import _native

# In this order each finds those that it needs. torch_npu binds the first six; it opens the others by name.
_NAMES = (
    "libprofapi.so",
    "libacl_op_compiler.so",
    "libge_runner.so",
    "libgraph.so",
    "libhccl.so",
    "libacl_tdt_channel.so",
    "libascend_hal.so",
    "libascend_dump.so",
    "libms_tools_ext.so",
    "libmsprofiler.so",
    "libdcmi.so",
)

# Read once, as the library does it.
IS_CHECKED = os.environ.get("FERRY_CHECK", "0") not in ("", "0")

# The loader closes no library that is referenced here.
_loaded: list[ctypes.CDLL] = []


_DETERMINISTIC = 0  # ACL_OPT_DETERMINISTIC


def _set_options() -> None:
    """Other releases of torch_npu than 2.10 read an option that a library of operators sets on being loaded.
    Setting it is the first call: FERRY_* variables that the program changes later are not read."""
    if version("torch_npu").startswith("2.10."):
        return
    library = ctypes.CDLL(_native.library_path())
    library.aclrtSetSysParamOpt(ctypes.c_int(_DETERMINISTIC), ctypes.c_int64(0))


def load() -> None:
    """A library of the same name that is already loaded is used instead. ImportError when one is missing."""
    if IS_CHECKED:
        # Else a thread of torch_npu submits for the others, and reports could not name the line that asked.
        os.environ.setdefault("TASK_QUEUE_ENABLE", "0")
    if not _loaded:
        _set_options()
    folder = Path(_native.library_path()).resolve().parent
    for name in _NAMES if not _loaded else ():
        try:
            _loaded.append(ctypes.CDLL(str(folder / name)))
        except OSError as error:
            raise ImportError(
                f"torch_npu needs a library that is not beside libascendcl.so: {error}"
            ) from None
