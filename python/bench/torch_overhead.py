# SPDX-License-Identifier: Apache-2.0
"""What ferry.torch adds to PyTorch's own work. Each row is measured in turns with its baseline.

python python/bench/torch_overhead.py [--rounds N] [--check]
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from dataclasses import dataclass

import acl

import ferry.torch  # makes the device npu
import torch

ELEMENTS = 1 << 18  # 1 MiB of float32
LARGE = 64 << 20
HOST_TO_DEVICE = 1


@dataclass
class Row:
    name: str
    seconds: float
    against: float
    least: float
    """Of the baseline's time in the row's, for the target to be met."""

    @property
    def ratio(self) -> float:
        return self.against / self.seconds

    def line(self) -> str:
        verdict = "met" if self.ratio >= self.least else "missed"
        return (
            f"{self.name:44} {self.seconds * 1e6:9.1f} us {self.against * 1e6:9.1f} us"
            f" {self.ratio:6.2f}  >= {self.least:.2f}  {verdict}"
        )


def best_of(rounds: int, *functions: Callable[[], object]) -> list[float]:
    """The fastest run of each, in turns: others use the machine, too."""
    times = [float("inf")] * len(functions)
    for _ in range(rounds):
        for i, function in enumerate(functions):
            start = time.perf_counter()
            function()
            times[i] = min(times[i], time.perf_counter() - start)
    return times


def elementwise(rounds: int) -> Row:
    """Against the CPU's operator and a copy each way."""
    here, pinned = torch.rand(ELEMENTS), torch.empty(ELEMENTS).pin_memory()
    there = here.to("npu")

    def on_device() -> None:
        there.add(1)
        torch.npu.synchronize()

    def on_host() -> None:
        here.add(1)
        there.copy_(pinned, non_blocking=True)
        pinned.copy_(there, non_blocking=True)
        torch.npu.synchronize()

    device, host = best_of(rounds, on_device, on_host)
    return Row("x + 1 of 1 MiB, against CPU and two copies", device, host, 1 / 3)


def upload(rounds: int) -> Row:
    """Against aclrtMemcpy into memory that is there."""
    pinned = torch.rand(LARGE // 4).pin_memory()
    place = torch.empty(LARGE // 4, device="npu")

    def by_torch() -> None:
        pinned.to("npu")

    def by_runtime() -> None:
        code = acl.rt.memcpy(place.data_ptr(), LARGE, pinned.data_ptr(), LARGE, HOST_TO_DEVICE)
        assert code == 0

    by_torch()  # the allocator gets its memory
    torch_seconds, runtime_seconds = best_of(rounds, by_torch, by_runtime)
    return Row('x.to("npu") of 64 MiB, against aclrtMemcpy', torch_seconds, runtime_seconds, 0.9)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--rounds", type=int, default=100)
    parser.add_argument("--check", action="store_true", help="exits with 1 when a target is missed")
    options = parser.parse_args()
    rows = [elementwise(options.rounds), upload(options.rounds)]
    print(f"{'':44} {'ferry.torch':>12} {'against':>12} {'ratio':>6}  target")
    for row in rows:
        print(row.line())
    return int(options.check and any(row.ratio < row.least for row in rows))


if __name__ == "__main__":
    raise SystemExit(main())
