#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks the errors when FERRY_DEVICES names CUDA devices and there are none.

Usage: check_cuda_missing.py LIBRARY. GPUs that this machine may have are hidden. Exits with 1 when a code is not
the documented one, or the text does not say what is missing.
"""
import ctypes
import os
import sys

DEV_SETUP_ERROR = 507033
REASONS = ("the NVIDIA driver is missing", "the GPU is missing", "the NVIDIA driver is too old",
           "the NVIDIA driver is there, but does not work")


def main():
    """Prints what is wrong."""
    os.environ["FERRY_DEVICES"] = "cuda"
    os.environ["CUDA_VISIBLE_DEVICES"] = ""
    runtime = ctypes.CDLL(sys.argv[1])
    runtime.aclGetRecentErrMsg.restype = ctypes.c_char_p
    wrong = []
    count = ctypes.c_uint32()
    calls = {"aclrtSetDevice": lambda: runtime.aclrtSetDevice(0),
             "aclrtGetDeviceCount": lambda: runtime.aclrtGetDeviceCount(ctypes.byref(count))}
    for name, call in calls.items():
        code = call()
        text = (runtime.aclGetRecentErrMsg() or b"").decode()
        print(f"{name} returned {code}: {text}")
        if code != DEV_SETUP_ERROR:
            wrong.append(f"{name} returned {code}, expected {DEV_SETUP_ERROR}")
        if "cuda" not in text or not any(reason in text for reason in REASONS):
            wrong.append(f"the text of {name} does not say what is missing")
    print("\n".join(wrong))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
