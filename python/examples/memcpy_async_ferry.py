# SPDX-License-Identifier: Apache-2.0
"""The copies of memcpy_async.py with `ferry`: no return codes to check and nothing to free."""

import sys

import numpy as np

import ferry

SIZE = 1 << 20


def main() -> None:
    with ferry.Device(0), ferry.Stream() as stream, ferry.Buffer(SIZE) as buffer:
        source = ferry.pinned_empty(SIZE, "uint8")
        source[:] = np.arange(SIZE) % 251
        result = ferry.pinned_empty(SIZE, "uint8")

        ferry.copy_async(buffer, source, stream=stream)
        back = ferry.copy_async(result, buffer, stream=stream)
        back.wait()

        if not np.array_equal(source, result):
            sys.exit("what came back is not what was sent")
    print(f"{SIZE} bytes went to the device and came back")


if __name__ == "__main__":
    main()
