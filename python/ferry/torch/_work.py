# SPDX-License-Identifier: Apache-2.0
"""An operator as work on a stream: what it needs is noted during the call, and the CPU's operator runs on
tensors over the device's storage when the stream gets there."""

from __future__ import annotations

import itertools
import struct
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import torch

from .. import _native, checker
from ..kernels import Declaration, Launch, kernel

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
    """It was captured: a graph runs it any number of times. It stays for as long as the process lives."""
    kept: Any = None
    outs: list[torch.Tensor] = field(default_factory=list)
    error: BaseException | None = None


_tasks: dict[int, Task] = {}
_numbers = itertools.count(1)
_registered: set[str] = set()


def replace(value: Any, change: Callable[[Any], Any]) -> Any:
    """Applies a function to a value, or to the items of a list or tuple."""
    if isinstance(value, (list, tuple)):
        return type(value)(replace(item, change) for item in value)
    return change(value)


def submit(task: Task, name: str, stream: int) -> None:
    """Queues the task. The current device is that of the stream."""
    if name not in _registered:
        kernel(name, _declare if checker.is_on() else None)(_run)
        _registered.add(name)
    task.repeats = torch.npu.is_current_stream_capturing()
    number = next(_numbers)
    _tasks[number] = task
    try:
        _native.launch_kernel(name, 1, struct.pack("Q", number), stream)
    except BaseException:
        _tasks.pop(number, None)
        raise


def _declare(declaration: Declaration) -> None:
    (number,) = declaration.unpack("Q")
    task = _tasks[number]
    for operands, declare in ((task.reads, declaration.reads), (task.writes, declaration.writes)):
        for operand in operands:
            start = task.storages[operand.storage][0]
            for offset, nbytes in operand.pieces():
                declare(start + offset, nbytes)


def _run(launch: Launch) -> None:
    (number,) = launch.unpack("Q")
    task = _tasks[number]
    if not task.repeats:
        del _tasks[number]
    storages: dict[int, torch.UntypedStorage] = {}

    def view(operand: Operand) -> torch.Tensor:
        if operand.storage not in storages:
            storages[operand.storage] = _storage(launch, *task.storages[operand.storage])
        tensor = torch.empty(0, dtype=operand.dtype)
        tensor.set_(storages[operand.storage], operand.offset, operand.size, operand.stride)
        return lazy(tensor, operand.is_conjugated, operand.is_negated)

    def argument(value: Any) -> Any:
        if isinstance(value, Fresh):
            task.outs.append(torch.empty(0, dtype=value.dtype))
            return task.outs[-1]
        return view(value) if isinstance(value, Operand) else value

    with torch.no_grad():
        try:
            args = [replace(value, argument) for value in task.args]
            kwargs = {name: replace(value, argument) for name, value in task.kwargs.items()}
            results = _call(task, args, kwargs)
            if task.results is None:
                task.kept = replace(results, lambda value: _keep(value, args, kwargs))
                return
        except BaseException as error:
            if task.results is not None:
                raise
            task.error = error  # the thread that waits for the result raises it
            return
        for operand, result in zip(task.results, _flat(results)):
            if operand is None:
                continue
            if tuple(result.shape) != operand.size or result.dtype != operand.dtype:
                raise RuntimeError(
                    f"{launch.name}: the result is {result.dtype} {tuple(result.shape)}, "
                    f"expected {operand.dtype} {operand.size}"
                )
            view(operand).copy_(result)


@dataclass
class Argument:
    """A result that is one of the arguments: its place among them."""

    place: int


def tensors_of(args: Any, kwargs: Any) -> list[Any]:
    """Every value of a call, those of lists one by one."""
    return _flat([*args, *kwargs.values()])


def _keep(value: Any, args: Any, kwargs: Any) -> Any:
    """What outlives the task: storage of the device does not."""
    if not isinstance(value, torch.Tensor):
        return value
    for place, given in enumerate(tensors_of(args, kwargs)):
        if given is value:
            return Argument(place)
    return value.clone() if value.layout == torch.strided else value


def _call(task: Task, args: Any, kwargs: Any) -> Any:
    if task.seed is None:
        return task.operator(*args, **kwargs)
    if task.seeds_argument:
        kwargs["generator"] = torch.Generator().manual_seed(task.seed)
        return task.operator(*args, **kwargs)
    # The operator takes its numbers from the generator of the process; put that back as it was.
    state = torch.get_rng_state()
    try:
        torch.default_generator.manual_seed(task.seed)
        return task.operator(*args, **kwargs)
    finally:
        torch.set_rng_state(state)


def _flat(results: Any) -> list[Any]:
    if isinstance(results, (list, tuple)):
        return [item for result in results for item in _flat(result)]
    return [results]


def _storage(launch: Launch, address: int, nbytes: int) -> torch.UntypedStorage:
    if nbytes == 0:
        return torch.UntypedStorage(0)
    return torch.frombuffer(launch.memory(address, nbytes), dtype=torch.uint8).untyped_storage()
