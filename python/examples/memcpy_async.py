# SPDX-License-Identifier: Apache-2.0
"""acl.rt.memcpy_async as pyACL documents it: pinned memory on the host, a stream, and a synchronisation
before the result is used. Nothing here is specific to Ferry, so it also runs with pyACL.
memcpy_async_ferry.py does the same with `ferry`.
"""

import ctypes
import sys

import acl

ACL_MEM_MALLOC_HUGE_FIRST = 0
ACL_MEMCPY_HOST_TO_DEVICE = 1
ACL_MEMCPY_DEVICE_TO_HOST = 2
ACL_ERROR_REPEAT_INITIALIZE = 100002

SIZE = 1 << 20


def check(ret: int, what: str) -> None:
    if ret != 0:
        sys.exit(f"{what} returned {ret}: {acl.get_recent_err_msg()}")


def main() -> None:
    ret = acl.init()
    if ret != ACL_ERROR_REPEAT_INITIALIZE:  # another library may have initialised it
        check(ret, "acl.init")
    check(acl.rt.set_device(0), "acl.rt.set_device")
    stream, ret = acl.rt.create_stream()
    check(ret, "acl.rt.create_stream")

    source, ret = acl.rt.malloc_host(SIZE)
    check(ret, "acl.rt.malloc_host")
    result, ret = acl.rt.malloc_host(SIZE)
    check(ret, "acl.rt.malloc_host")
    device, ret = acl.rt.malloc(SIZE, ACL_MEM_MALLOC_HUGE_FIRST)
    check(ret, "acl.rt.malloc")
    data = bytes(i % 251 for i in range(SIZE))
    ctypes.memmove(source, data, SIZE)

    # Both calls only queue their copy. The stream runs them in order.
    ret = acl.rt.memcpy_async(device, SIZE, source, SIZE, ACL_MEMCPY_HOST_TO_DEVICE, stream)
    check(ret, "acl.rt.memcpy_async")
    ret = acl.rt.memcpy_async(result, SIZE, device, SIZE, ACL_MEMCPY_DEVICE_TO_HOST, stream)
    check(ret, "acl.rt.memcpy_async")

    # Until this returns, `result` is undefined and `source` must not be changed.
    check(acl.rt.synchronize_stream(stream), "acl.rt.synchronize_stream")
    if acl.util.ptr_to_bytes(result, SIZE) != data:
        sys.exit("what came back is not what was sent")
    print(f"{SIZE} bytes went to the device and came back")

    check(acl.rt.free(device), "acl.rt.free")
    check(acl.rt.free_host(source), "acl.rt.free_host")
    check(acl.rt.free_host(result), "acl.rt.free_host")
    check(acl.rt.destroy_stream(stream), "acl.rt.destroy_stream")
    check(acl.rt.reset_device(0), "acl.rt.reset_device")
    check(acl.finalize(), "acl.finalize")


if __name__ == "__main__":
    main()
