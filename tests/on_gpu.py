#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs a program on the CUDA devices of this machine, or says why there are none.

Usage: on_gpu.py LIBRARY PROGRAM [ARGUMENT...]. LIBRARY is libascendcl.so. Exits with 77, which ctest treats as
"skipped", when FERRY_DEVICES=cuda finds no device.
"""
import ctypes
import os
import sys

SKIPPED = 77


def why_no_gpu(library):
    """The library's own error text, or "" when there is a device."""
    runtime = ctypes.CDLL(library)
    runtime.aclGetRecentErrMsg.restype = ctypes.c_char_p
    count = ctypes.c_uint32()
    if runtime.aclrtGetDeviceCount(ctypes.byref(count)) == 0 and count.value > 0:
        return ""
    return (runtime.aclGetRecentErrMsg() or b"there is no device").decode()


def main():
    """Looks for a device in a child process, so that the program starts with a fresh library."""
    library, program = sys.argv[1], sys.argv[2:]
    os.environ["FERRY_DEVICES"] = "cuda"
    child = os.fork()
    if child == 0:
        reason = why_no_gpu(library)
        if reason:
            print(f"skipped: {reason}")
            sys.stdout.flush()
        os._exit(SKIPPED if reason else 0)
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    if status != 0:
        return status
    os.execv(program[0], program)
    return 1


if __name__ == "__main__":
    sys.exit(main())
