# SPDX-License-Identifier: Apache-2.0
"""Tells the checker when the caching allocator hands out a block and takes it back, so that a report of a
race on memory that was reused names the place that released the tensor."""

from __future__ import annotations

from collections.abc import Callable

import torch_npu
import torch_npu.utils._npu_trace as trace

from .. import _native

_STREAMS = 0  # the mode of torch_npu's trace that calls for memory and streams


def _also(registry: trace.CallbackRegistry, is_taken: bool) -> None:
    """In place of the registry's own method, so that no frame of torch_npu is on top of the stack."""
    others: Callable[[int], None] = registry.fire_callbacks

    def note(address: int) -> None:
        if registry.callback_list:
            others(address)
        _native.note_block(address, is_taken)

    registry.fire_callbacks = note


def watch() -> None:
    """Once per process, while the checker is on."""
    _also(trace.NPUMemoryAllocationCallbacks, True)
    _also(trace.NPUMemoryDeallocationCallbacks, False)
    torch_npu._C._activate_npu_trace(_STREAMS)
