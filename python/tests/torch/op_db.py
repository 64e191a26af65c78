# SPDX-License-Identifier: Apache-2.0
"""Compares the device npu with the CPU over torch's operator database.

    python python/tests/torch/op_db.py [--samples 6] [--least 95] [NAME ...]

For each entry with a CPU implementation and each of the types float32 and int64 that it has there, the first
sample inputs are computed on both. Results that depend on the seed, or that the operator leaves
uninitialised, are compared by shape and type. Names what differs, and exits with 1 when fewer pairs of entry
and type than --least percent are equal.
"""

from __future__ import annotations

import argparse
import itertools
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any
from unittest import mock

import ferry.torch
import torch
from torch.testing._internal.common_methods_invocations import op_db
from torch.testing._internal.opinfo.core import OpInfo, SampleInput
from torch.utils._pytree import tree_leaves, tree_map

DTYPES = (torch.float32, torch.int64)
UNINITIALISED = ("empty", "empty_like", "empty_permuted", "empty_strided", "new_empty", "new_empty_strided")
# Arguments that belong on the host, also where the other ones are on a device.
ON_HOST = ("tensor_split",)


@dataclass
class Comparison:
    """One entry of the database, with one type."""

    name: str
    compared: int = 0
    problem: str = ""

    @property
    def is_equal(self) -> bool:
        return not self.problem


@dataclass
class Totals:
    compared: list[Comparison] = field(default_factory=list)
    without_cpu: list[str] = field(default_factory=list)

    @property
    def different(self) -> list[Comparison]:
        return [one for one in self.compared if not one.is_equal]

    @property
    def percent(self) -> float:
        return 100 * (1 - len(self.different) / max(1, len(self.compared)))


def moved(value: Any, device: str) -> Any:
    """A copy of a tensor on the device: of its whole storage, with its strides and offset."""
    if not isinstance(value, torch.Tensor):
        return torch.device(device) if isinstance(value, torch.device) else value
    if value.layout != torch.strided:
        return value.to(device, copy=True)
    value = value.resolve_conj().resolve_neg()
    whole = torch.empty(0, dtype=value.dtype).set_(value.untyped_storage())
    return whole.to(device, copy=True).as_strided(value.size(), value.stride(), value.storage_offset())


def call(entry: OpInfo, sample: SampleInput, device: str) -> Any:
    def move(value: Any) -> Any:
        return moved(value, device)

    first = tree_map(move, sample.input)
    args = sample.args if entry.name in ON_HOST else tree_map(move, sample.args)
    kwargs = {
        name: device if name == "device" else tree_map(move, value) for name, value in sample.kwargs.items()
    }
    return entry.op(first, *args, **kwargs)


def on_host(result: Any) -> list[Any]:
    return [leaf.cpu() if torch.is_tensor(leaf) else leaf for leaf in tree_leaves(result)]


def difference(there: list[Any], here: list[Any], *, only_shapes: bool) -> str:
    """What differs, "" when nothing does."""
    if len(there) != len(here):
        return f"{len(there)} results instead of {len(here)}"
    for one, other in zip(there, here):
        if not torch.is_tensor(other):
            if one != other and not only_shapes and not isinstance(other, torch.device):
                return f"{one!r} instead of {other!r}"
            continue
        if only_shapes:
            if one.shape != other.shape or one.dtype != other.dtype:
                return f"{one.dtype} {tuple(one.shape)} instead of {other.dtype} {tuple(other.shape)}"
            continue
        try:
            torch.testing.assert_close(one, other, equal_nan=True)
        except AssertionError as error:
            return " ".join(str(error).split())
    return ""


def depends_on_the_seed(entry: OpInfo, sample: SampleInput, here: list[Any]) -> bool:
    set_seed = torch.manual_seed
    for seed in (2, 3, 4):  # two seeds may draw the same

        def other_seed(_: int, seed: int = seed) -> torch.Generator:
            return set_seed(seed)

        # The database's own functions set a seed, too.
        with mock.patch.object(torch, "manual_seed", other_seed):
            torch.manual_seed(seed)
            if difference(on_host(call(entry, sample, "cpu")), here, only_shapes=False):
                return True
    return False


def compare_sample(entry: OpInfo, sample: SampleInput, comparison: Comparison) -> None:
    try:
        torch.manual_seed(1)
        here = on_host(call(entry, sample, "cpu"))
    except Exception:
        return  # nothing to compare with
    comparison.compared += 1
    try:
        there = on_host(call(entry, sample, "npu"))
    except Exception as error:
        comparison.problem = f"{type(error).__name__}: {' '.join(str(error).split())}"
        return
    undefined = entry.name in UNINITIALISED
    comparison.problem = difference(there, here, only_shapes=undefined)
    if comparison.problem and depends_on_the_seed(entry, sample, here):
        comparison.problem = difference(there, here, only_shapes=True)


def pairs(names: list[str]) -> Iterator[tuple[OpInfo, torch.dtype, str]]:
    for entry in op_db:
        full = f"{entry.name}.{entry.variant_test_name}" if entry.variant_test_name else entry.name
        if names and entry.name not in names and full not in names:
            continue
        for dtype in DTYPES:
            if dtype in entry.supported_dtypes("cpu"):
                yield entry, dtype, f"{full} {str(dtype).removeprefix('torch.')}"


def compare(names: list[str], samples: int) -> Totals:
    totals = Totals()
    for entry, dtype, name in pairs(names):
        torch.manual_seed(0)
        comparison = Comparison(name)
        for sample in itertools.islice(entry.sample_inputs("cpu", dtype), samples):
            compare_sample(entry, sample, comparison)
            if comparison.problem:
                break
        if comparison.compared == 0:
            totals.without_cpu.append(name)
            continue
        totals.compared.append(comparison)
        if comparison.problem:
            print(f"{name}: {comparison.problem[:200]}", flush=True)
    return totals


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="NAME", help="of entries; default: all")
    parser.add_argument("--samples", type=int, default=6)
    parser.add_argument("--least", type=float, default=95, help="percent")
    options = parser.parse_args()
    start = time.monotonic()
    totals = compare(options.names, options.samples)
    equal = len(totals.compared) - len(totals.different)
    print(
        f"{equal} of {len(totals.compared)} pairs of operator and type equal the CPU's "
        f"({totals.percent:.1f} %, {options.least:.1f} % are needed), "
        f"in {time.monotonic() - start:.0f} s; without samples that the CPU computes: "
        f"{', '.join(totals.without_cpu) or 'none'}"
    )
    return int(totals.percent < options.least)


if __name__ == "__main__":
    sys.exit(main())
