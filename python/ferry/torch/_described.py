# SPDX-License-Identifier: Apache-2.0
"""Names work of PyTorch for the reports of the checker: the operator or copy, with types and shapes."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import torch

from .. import _native
from ._task import Operand, Task

_MOST_ITEMS = 4  # of a list of tensors


def _tensor(dtype: torch.dtype, sizes: Any) -> str:
    return f"{str(dtype).removeprefix('torch.')}[{', '.join(map(str, sizes))}]"


def _value(value: Any) -> str:
    if isinstance(value, Operand):
        return _tensor(value.dtype, value.size)
    if isinstance(value, torch.Tensor):
        return f"{_tensor(value.dtype, value.size())} {value.device}"
    if isinstance(value, (list, tuple)):
        shown = [_value(item) for item in value[:_MOST_ITEMS]]
        return f"[{', '.join(shown + ['...'] * (len(value) > _MOST_ITEMS))}]"
    return str(value)


def of_task(name: str, task: Task) -> str:
    """ "aten::add.Tensor(float32[4, 8], 2)" """
    given = [_value(value) for value in task.args]
    given += [f"{key}={_value(value)}" for key, value in task.kwargs.items() if value is not None]
    return f"{name}({', '.join(given)})"


def of_copy(to: torch.Tensor, source: torch.Tensor) -> str:
    """ "copy float32[4] cpu -> float32[4] npu:0" """
    return f"copy {_value(source)} -> {_value(to)}"


@contextmanager
def noted(text: str) -> Iterator[None]:
    """What this thread submits inside is called so in reports."""
    _native.note_work(text)
    try:
        yield
    finally:
        _native.note_work(None)
