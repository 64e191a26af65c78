# SPDX-License-Identifier: Apache-2.0
"""Updates of operators in graphs. An operator that is submitted while a task group is being updated replaces
the one at its place in the group, and runs at each replay until it is replaced itself."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import torch
import torch_npu

Place = tuple[Any, int]
"""The handle of a group, and which of its operators."""


class _Open(threading.local):
    """The group that the thread is updating."""

    def __init__(self) -> None:
        self.handle: Any = None
        self.next = 0


_open = _Open()
_last_run: dict[Place, int] = {}


def next_place() -> Place | None:
    """Of the operator that this thread is submitting; None when it updates no group."""
    if _open.handle is None:
        return None
    _open.next += 1
    return _open.handle, _open.next


def replaced_by(place: Place, number: int) -> int | None:
    """The task that ran at this place before and never will again, now that a later one runs."""
    before = _last_run.get(place)
    _last_run[place] = number
    return None if before == number else before


def _fused_attention(stream: Any, handle: Any, event: Any, *args: Any, **kwargs: Any) -> Any:
    """What torch_npu has as one call: the update of an attention, and the event behind it."""
    graphs = torch_npu.npu.graphs
    graphs.graph_task_update_begin(stream, handle)
    made = torch.ops.npu.npu_fused_infer_attention_score.out(*args, **kwargs)
    graphs.graph_task_update_end(stream)
    event.record(stream)
    return made


def install() -> None:
    """Once per process."""
    graphs = torch_npu.npu.graphs
    begin: Callable[[Any, Any], None] = graphs._graph_task_update_begin
    end: Callable[[Any], None] = graphs._graph_task_update_end

    def begin_update(stream: Any, handle: Any) -> None:
        begin(stream, handle)
        _open.handle, _open.next = handle, 0

    def end_update(stream: Any) -> None:
        _open.handle = None
        end(stream)

    graphs._graph_task_update_begin, graphs._graph_task_update_end = begin_update, end_update
    if hasattr(torch_npu._C, "_npu_fused_infer_attention_score_out_graph"):
        torch_npu._C._npu_fused_infer_attention_score_out_graph = _fused_attention
