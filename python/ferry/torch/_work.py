# SPDX-License-Identifier: Apache-2.0
"""An operator as work on a stream: what it needs is noted during the call, and the CPU's operator runs on
tensors over the device's storage when the stream gets there."""

from __future__ import annotations

import itertools
import struct
from typing import Any

import torch

from .. import _native
from ..kernels import Declaration, Launch, kernel
from ._described import noted, of_task
from ._libraries import IS_CHECKED
from ._task import Argument, Fresh, Operand, Task, flat, lazy, replace, tensors_of
from ._updates import next_place, replaced_by

_tasks: dict[int, Task] = {}
_numbers = itertools.count(1)
_registered: set[str] = set()


def submit(task: Task, name: str, stream: int) -> None:
    """Queues the task. The current device is that of the stream."""
    if name not in _registered:
        kernel(name, _declare if IS_CHECKED else None)(_run)
        _registered.add(name)
    task.place = next_place()
    task.repeats = task.place is not None or torch.npu.is_current_stream_capturing()
    number = next(_numbers)
    _tasks[number] = task
    try:
        if IS_CHECKED:
            with noted(of_task(name, task)):
                _native.launch_kernel(name, 1, struct.pack("Q", number), stream)
        else:
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
    elif task.place is not None and (replaced := replaced_by(task.place, number)) is not None:
        del _tasks[replaced]
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
        for operand, result in zip(task.results, flat(results)):
            if operand is None:
                continue
            if tuple(result.shape) != operand.size or result.dtype != operand.dtype:
                raise RuntimeError(
                    f"{launch.name}: the result is {result.dtype} {tuple(result.shape)}, "
                    f"expected {operand.dtype} {operand.size}"
                )
            view(operand).copy_(result)


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


def _storage(launch: Launch, address: int, nbytes: int) -> torch.UntypedStorage:
    if nbytes == 0:
        return torch.UntypedStorage(0)
    return torch.frombuffer(launch.memory(address, nbytes), dtype=torch.uint8).untyped_storage()
