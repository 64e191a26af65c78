# SPDX-License-Identifier: Apache-2.0
"""Two processes use one device buffer. The first one fills it and sends a few bytes over a pipe. The second
one opens the buffer with them, checks every number, and writes its answer into the same memory.

    python shared_buffer.py [--numbers 65536]
"""

from __future__ import annotations

import argparse
import subprocess
import sys

import numpy as np

import ferry


def write(count: int) -> None:
    """The first process."""
    numbers = np.arange(count, dtype="int64")
    with ferry.Device(0), ferry.Buffer.from_host(numbers) as buffer:
        reader = subprocess.Popen(
            [sys.executable, __file__, "--reader"], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL
        )
        # Only this process may open the buffer. Its contents never go through the pipe.
        reader.communicate(buffer.share(processes=[reader.pid]))
        if reader.returncode != 0:
            sys.exit("the reader failed")
        if not np.array_equal(buffer.numpy("int64"), -numbers):
            sys.exit("the answer is wrong")
    print(f"{count} numbers were shared and came back negated, every one right")


def read() -> None:
    """The second process."""
    data = sys.stdin.buffer.read()
    with ferry.Device(0), ferry.open_shared(data) as buffer:
        numbers = buffer.numpy("int64")
        if not np.array_equal(numbers, np.arange(len(numbers))):
            sys.exit("what was shared is not what was written")
        ferry.copy(buffer, -numbers)


def main() -> None:
    parser = argparse.ArgumentParser(description="Two processes share a device buffer.")
    parser.add_argument("--numbers", type=int, default=65536)
    parser.add_argument("--reader", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.reader:
        read()
    else:
        write(options.numbers)


if __name__ == "__main__":
    main()
