# SPDX-License-Identifier: Apache-2.0
"""Every allocation of the library fails once, in a Python program: first with `acl`, whose calls return
codes, then with `ferry`, which raises. Each runs in a child process; a call that failed is repeated and must
then succeed. Run with libferry_failing_calls.so preloaded.
"""

from __future__ import annotations

import argparse
import ctypes
import os
import select
import sys
from typing import Any, Callable

os.environ.setdefault("FERRY_DEVICES", "cpu:2")
os.environ.setdefault("FERRY_SCHEDULE", "lazy")

import acl
import numpy as np

import ferry

SIZE = 4096
SHORTAGES = (200000, 207001, 207005, 507033)
MALLOC = 0
TIME_LIMIT_S = 60

calls = ctypes.CDLL(None)
calls.failing_arm.argtypes = [ctypes.c_int, ctypes.c_uint64, ctypes.c_uint64]
calls.failing_calls.restype = ctypes.c_uint64
calls.failing_fired.restype = ctypes.c_uint64


def attempt(function: Callable[..., Any], *arguments: Any) -> Any:
    """Calls a function of `acl`, and once more if memory was short. Returns its value."""
    for is_last in (False, True):
        result = function(*arguments)
        code = result[-1] if isinstance(result, tuple) else result
        if code == 0:
            return result[0] if isinstance(result, tuple) else None
        if is_last or code not in SHORTAGES or calls.failing_fired() == 0:
            sys.exit(f"{function.__name__} returns {code}: {acl.get_recent_err_msg()}")
    return None


def use_acl() -> None:
    attempt(acl.init)
    attempt(acl.rt.set_device, 0)
    stream = attempt(acl.rt.create_stream)
    event = attempt(acl.rt.create_event)
    source = attempt(acl.rt.malloc_host, SIZE)
    result = attempt(acl.rt.malloc_host, SIZE)
    device = attempt(acl.rt.malloc, SIZE, 0)
    data = bytes(i % 251 for i in range(SIZE))
    ctypes.memmove(source, data, SIZE)
    for _ in range(2):  # a task that failed for lack of memory is queued again
        attempt(acl.rt.memcpy_async, device, SIZE, source, SIZE, 1, stream)
        attempt(acl.rt.record_event, event, stream)
        attempt(acl.rt.memcpy_async, result, SIZE, device, SIZE, 2, stream)
        attempt(acl.rt.synchronize_stream, stream)
    if acl.util.ptr_to_bytes(result, SIZE) != data:
        sys.exit("what came back is not what was sent")
    attempt(acl.rt.free, device)
    attempt(acl.rt.free_host, source)
    attempt(acl.rt.free_host, result)
    attempt(acl.rt.destroy_event, event)
    attempt(acl.rt.destroy_stream, stream)
    attempt(acl.rt.reset_device, 0)
    attempt(acl.finalize)


def use_ferry() -> None:
    with ferry.Device(0), ferry.Stream() as stream, ferry.Buffer(SIZE) as buffer:
        source = ferry.pinned_empty(SIZE, "uint8")
        source[:] = np.arange(SIZE) % 251
        result = ferry.pinned_empty(SIZE, "uint8")
        ferry.copy_async(buffer, source, stream=stream)
        ferry.copy_async(result, buffer, stream=stream).wait()
        if not np.array_equal(source, result):
            sys.exit("what came back is not what was sent")


def run_child(first: int) -> None:
    """Both programs with one failure, and once more without."""
    calls.failing_arm(MALLOC, first, 1 if first else 0)
    use_acl()
    try:
        use_ferry()
    except ferry.AclError as error:
        if error.code not in SHORTAGES or calls.failing_fired() == 0:
            raise
    calls.failing_disarm()
    use_acl()
    use_ferry()


def try_one(first: int) -> tuple[str, int]:
    """Returns what is wrong, or "", and how many calls the library made."""
    reader, writer = os.pipe()
    process = os.fork()
    if process == 0:
        os.close(reader)
        run_child(first)
        os.write(writer, str(calls.failing_calls()).encode())
        sys.exit(0)
    os.close(writer)
    end = os.pidfd_open(process)
    if not select.select([end], [], [], TIME_LIMIT_S)[0]:
        os.kill(process, 6)
        print(f"allocation {first}: the program hangs")
    os.close(end)
    status = os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])
    text = os.read(reader, 64).decode()
    os.close(reader)
    return ("" if status == 0 else f"the program ends with {status}"), int(text or 0)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--step", type=int, default=1, help="tries every STEP-th allocation")
    parser.add_argument("--at", type=int, help="tries only this one")
    options = parser.parse_args()
    wrong, count = try_one(0)
    if wrong:
        sys.exit(f"nothing fails, but {wrong}")
    failed = 0
    numbers = [options.at] if options.at else range(1, count + 1, options.step)
    for first in numbers:
        wrong, _ = try_one(first)
        if wrong:
            failed += 1
            print(f"allocation {first} fails: {wrong}; again: python_failures.py --at {first}")
    print(f"{len(numbers)} of {count} allocations tried, {failed} end badly")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
