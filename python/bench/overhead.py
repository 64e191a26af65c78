# SPDX-License-Identifier: Apache-2.0
"""Overhead of the package ferry. Each row is measured next to its baseline in the same run. For batches the
baseline is the C function itself, called once with arrays prepared beforehand; for single copies it is the
module `acl`.

    python python/bench/overhead.py [--json FILE] [--rounds N]
"""

from __future__ import annotations

import argparse
import ctypes
import json
import platform
import sys
import time
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Callable

import acl
import numpy as np

import ferry
from ferry import _native

ITEMS = 4096
BLOCK = 512


@dataclass
class Row:
    """Nanoseconds per item of the baseline and of ferry, and the most that ferry may add."""

    name: str
    base_ns: float
    python_ns: float
    limit_ns: float | None

    @property
    def added_ns(self) -> float:
        return self.python_ns - self.base_ns


def best(rounds: int, items: int, *calls: Callable[[], Any]) -> list[float]:
    """The best time per item of each call. The calls take turns, so that all see the same machine state."""
    times = [float("inf")] * len(calls)
    for _ in range(rounds):
        for i, call in enumerate(calls):
            start = time.perf_counter_ns()
            call()
            times[i] = min(times[i], (time.perf_counter_ns() - start) / items)
    return times


class MemLocation(ctypes.Structure):
    _fields_ = (("id", ctypes.c_uint32), ("type", ctypes.c_int32))


class BatchAttribute(ctypes.Structure):
    _fields_ = (("dst", MemLocation), ("src", MemLocation), ("reserved", ctypes.c_uint8 * 16))


def c_batch(library: ctypes.CDLL, dsts: list[int], srcs: list[int], to_device: bool) -> Callable[[], None]:
    """A call to aclrtMemcpyBatch with arrays prepared beforehand."""
    count = len(dsts)
    pointers = ctypes.c_void_p * count
    dst_array, src_array = pointers(*dsts), pointers(*srcs)
    sizes = (ctypes.c_size_t * count)(*[BLOCK] * count)
    attribute = BatchAttribute()
    (attribute.dst if to_device else attribute.src).type = 1
    first, failed = ctypes.c_size_t(0), ctypes.c_size_t(0)
    arguments = (
        dst_array, sizes, src_array, sizes, ctypes.c_size_t(count),
        ctypes.byref(attribute), ctypes.byref(first), ctypes.c_size_t(1), ctypes.byref(failed),
    )  # fmt: skip

    def call() -> None:
        if library.aclrtMemcpyBatch(*arguments) != 0:
            raise RuntimeError(acl.get_recent_err_msg())

    return call


def batch_rows(library: ctypes.CDLL, rounds: int) -> list[Row]:
    """copy_batch of 4096 numpy slices, in both directions; with existing slices, and with new ones."""
    rows = []
    with ferry.Buffer(ITEMS * BLOCK) as buffer:
        host = ferry.pinned_empty((ITEMS, BLOCK), "uint8")
        host[:] = 1
        ferry.copy(buffer, host)
        order = np.random.default_rng(1).permutation(ITEMS)
        slices = [host[i] for i in order]
        parts = [buffer[i * BLOCK : (i + 1) * BLOCK] for i in range(ITEMS)]
        host_addresses = [int(s.ctypes.data) for s in slices]
        parts_addresses = [part.address for part in parts]
        out, back = list(zip(slices, parts)), list(zip(parts, slices))
        save = c_batch(library, host_addresses, parts_addresses, to_device=False)
        load = c_batch(library, parts_addresses, host_addresses, to_device=True)

        def load_new_slices() -> None:
            ferry.copy_batch([(part, host[i]) for part, i in zip(parts, order)])

        c, py = best(rounds, ITEMS, save, lambda: ferry.copy_batch(out))
        rows.append(Row("copy_batch, device to host, 4096 slices of 512 B", c, py, 1000))
        c, py, new = best(rounds, ITEMS, load, lambda: ferry.copy_batch(back), load_new_slices)
        rows.append(Row("copy_batch, host to device, 4096 slices of 512 B", c, py, 1000))
        rows.append(Row("the same, and making the slices and pairs", c, new, None))
    return rows


def single_rows(rounds: int) -> list[Row]:
    """Single copies of 64 bytes, in loops of 1000."""
    with ferry.Stream() as stream, ferry.Buffer(64) as buffer:
        host = ferry.pinned_empty(64, "uint8")
        dst, src, handle = buffer.address, int(host.ctypes.data), stream.handle
        kind = int(ferry.MemcpyKind.DEFAULT)

        def base_copies() -> None:
            for _ in range(1000):
                acl.rt.memcpy(dst, 64, src, 64, kind)

        def copies() -> None:
            for _ in range(1000):
                ferry.copy(buffer, host)

        def base_async() -> None:
            for _ in range(1000):
                acl.rt.memcpy_async(dst, 64, src, 64, kind, handle)
            acl.rt.synchronize_stream(handle)

        def async_copies() -> None:
            for _ in range(1000):
                ferry.copy_async(buffer, host, stream=stream)
            stream.synchronize()

        base, py = best(rounds, 1000, base_copies, copies)
        rows = [Row("copy of 64 B, above acl.rt.memcpy", base, py, None)]
        base, py = best(rounds, 1000, base_async, async_copies)
        return [*rows, Row("copy_async of 64 B, above acl.rt.memcpy_async", base, py, None)]


def show(rows: list[Row]) -> None:
    print(f"{'nanoseconds per item':52} {'base':>8} {'ferry':>8} {'added':>8}  limit")
    for row in rows:
        limit = "" if row.limit_ns is None else f"{row.limit_ns:.0f}"
        print(f"{row.name:52} {row.base_ns:8.0f} {row.python_ns:8.0f} {row.added_ns:8.0f}  {limit}")


def main() -> int:
    parser = argparse.ArgumentParser(description="Overhead of the package ferry.")
    parser.add_argument("--json", type=Path, help="a file for the numbers")
    parser.add_argument("--rounds", type=int, default=30)
    options = parser.parse_args()
    library = ctypes.CDLL(_native.library_path())
    with ferry.Device(0):
        rows = batch_rows(library, options.rounds) + single_rows(options.rounds)
    show(rows)
    if options.json:
        machine = {
            "machine": platform.platform(),
            "python": platform.python_version(),
            "numpy": np.__version__,
        }
        options.json.write_text(json.dumps({**machine, "rows": [asdict(row) for row in rows]}, indent=2))
    return 1 if any(row.limit_ns is not None and row.added_ns > row.limit_ns for row in rows) else 0


if __name__ == "__main__":
    sys.exit(main())
