# SPDX-License-Identifier: Apache-2.0
"""One call of an operator as a value: tensors of the device are places in their storages."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import torch

# Views of more pieces than this are declared to the checker as one range.
_MOST_PIECES = 1024


@dataclass
class Operand:
    """A tensor on the device, without a reference to it: its memory belongs to the stream's order, as on an
    NPU, and may be given out again after the call."""

    storage: int
    """Which of the task's storages."""
    offset: int
    """In elements."""
    size: tuple[int, ...]
    stride: tuple[int, ...]
    dtype: torch.dtype
    is_conjugated: bool = False
    is_negated: bool = False

    def pieces(self) -> Iterator[tuple[int, int]]:
        """The bytes it covers in its storage: offsets and sizes of contiguous pieces."""
        width = self.dtype.itemsize
        if 0 in self.size:
            return
        dimensions = sorted(
            (stride, size) for stride, size in zip(self.stride, self.size) if size > 1 and stride > 0
        )
        length = 1
        while dimensions and dimensions[0][0] <= length:
            stride, size = dimensions.pop(0)
            length += stride * (size - 1)
        count = 1
        for _, size in dimensions:
            count *= size
        if count > _MOST_PIECES:
            length += sum(stride * (size - 1) for stride, size in dimensions)
            dimensions = []
        steps = [range(0, stride * size, stride) for stride, size in dimensions]
        for offsets in itertools.product(*steps):
            yield (self.offset + sum(offsets)) * width, length * width


def lazy(tensor: torch.Tensor, is_conjugated: bool, is_negated: bool) -> torch.Tensor:
    """With the marks of a tensor whose values are conjugated or negated by whoever reads them."""
    tensor = tensor.conj() if is_conjugated else tensor
    return torch._neg_view(tensor) if is_negated else tensor


@dataclass
class Fresh:
    """An out= argument of an operator that decides its shape: an empty tensor, whose contents are kept."""

    dtype: torch.dtype


@dataclass
class Task:
    """One call of an operator."""

    operator: Callable[..., Any]
    args: Any = ()
    kwargs: Any = field(default_factory=dict)
    storages: list[tuple[int, int]] = field(default_factory=list)
    reads: list[Operand] = field(default_factory=list)
    writes: list[Operand] = field(default_factory=list)
    results: list[Operand | None] | None = None
    """Where the results belong; None for one that is no new tensor. None as a whole: they are kept."""
    seed: int | None = None
    seeds_argument: bool = False
    repeats: bool = False
    """It is in a graph, which runs it any number of times. One that was captured stays for as long as the
    process lives."""
    place: Any = None
    """Which operator of a graph it replaces (_updates.Place); None for none."""
    kept: Any = None
    outs: list[torch.Tensor] = field(default_factory=list)
    error: BaseException | None = None


@dataclass
class Argument:
    """A result that is one of the arguments: its place among them."""

    place: int


def tensors_of(args: Any, kwargs: Any) -> list[Any]:
    """Every value of a call, those of lists one by one."""
    return flat([*args, *kwargs.values()])


def flat(results: Any) -> list[Any]:
    if isinstance(results, (list, tuple)):
        return [item for result in results for item in flat(result)]
    return [results]


def replace(value: Any, change: Callable[[Any], Any]) -> Any:
    """Applies a function to a value, or to the items of a list or tuple."""
    if isinstance(value, (list, tuple)):
        return type(value)(replace(item, change) for item in value)
    return change(value)
