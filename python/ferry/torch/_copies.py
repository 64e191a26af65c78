# SPDX-License-Identifier: Apache-2.0
"""copy_: torch_npu's own where bytes move as they are, so that the runtime copies them; else an operator does
the rest on the side that has it."""

from __future__ import annotations

from typing import Any

import torch

from ._described import noted, of_copy
from ._libraries import IS_CHECKED
from ._operators import Operator, is_on_device


def _same_bytes(a: torch.Tensor, b: torch.Tensor) -> bool:
    same: bool = a.dtype == b.dtype and a.shape == b.shape and a.is_contiguous() and b.is_contiguous()
    return same


class Copy:
    """Copies between tensors of which one at least is on the device."""

    def __init__(self) -> None:
        self._original = torch.library.get_kernel("aten::copy_", "PrivateUse1")
        self._operator = Operator(torch.ops.aten.copy_.default)

    def __call__(
        self, keys: Any, to: torch.Tensor, source: torch.Tensor, non_blocking: bool = False
    ) -> torch.Tensor:
        if to.numel() == 0 and source.numel() == 0 and to.shape == source.shape:
            return to
        source = source.resolve_conj().resolve_neg()
        if to.is_conj():
            to.conj().copy_(source.conj())
            return to
        if to.is_neg():
            torch._neg_view(to).copy_(source.neg())
            return to

        def move(a: torch.Tensor, b: torch.Tensor, later: bool) -> None:
            if IS_CHECKED:
                with noted(of_copy(a, b)):
                    self._original.call_boxed(keys, a, b, later)
            else:
                self._original.call_boxed(keys, a, b, later)

        if _same_bytes(to, source):
            move(to, source, non_blocking)
        elif to.device == source.device:
            self._operator(to, source)
        elif is_on_device(to):
            self._onto(to, source, move)
        else:
            dense = source.contiguous()
            here = torch.empty(dense.shape, dtype=dense.dtype)
            move(here, dense, False)
            to.copy_(here)
        return to

    def _onto(self, to: torch.Tensor, source: torch.Tensor, move: Any) -> None:
        # On the host nothing but the shape must fit before the bytes move; between devices, too.
        if not is_on_device(source):
            source = source.to(to.dtype)
        dense = source.expand(to.shape).contiguous() if source.numel() < to.numel() else source.contiguous()
        if _same_bytes(to, dense):
            move(to, dense, False)
            return
        there = torch.empty(dense.shape, dtype=dense.dtype, device=to.device)
        move(there, dense, False)
        self._operator(to, there)


def _keeps_shape(
    tensor: torch.Tensor, dtype: torch.dtype | None, memory_format: torch.memory_format | None
) -> bool:
    """Whether a copy has the strides and the type of the tensor: the usual case. Asking torch takes time."""
    return (
        dtype in (None, tensor.dtype)
        and memory_format in (None, torch.preserve_format)
        and tensor.is_contiguous()
    )


def to_copy(
    tensor: torch.Tensor,
    *,
    dtype: torch.dtype | None = None,
    layout: torch.layout | None = None,
    device: torch.device | None = None,
    pin_memory: bool | None = None,
    non_blocking: bool = False,
    memory_format: torch.memory_format | None = None,
) -> torch.Tensor:
    """aten::_to_copy of a tensor on the device."""
    if layout not in (None, torch.strided):
        raise NotImplementedError(f"aten::_to_copy: Ferry has no {layout} tensors on the device")
    shape = tensor
    if not _keeps_shape(tensor, dtype, memory_format):
        meta = torch.empty_strided(tensor.size(), tensor.stride(), dtype=tensor.dtype, device="meta")
        shape = torch.ops.aten._to_copy.default(meta, dtype=dtype, memory_format=memory_format)
    to = tensor.device if device is None else torch.device(device)
    # Only a copy to pinned memory does not wait.
    pins = bool(pin_memory) or (non_blocking and to.type == "cpu")
    made = torch.empty_strided(shape.size(), shape.stride(), dtype=shape.dtype, device=to, pin_memory=pins)
    return made.copy_(tensor, non_blocking)


def empty(
    size: list[int],
    *,
    dtype: torch.dtype | None = None,
    layout: torch.layout | None = None,
    device: torch.device | None = None,
    pin_memory: bool | None = None,
    memory_format: torch.memory_format | None = None,
) -> torch.Tensor:
    """aten::empty: torch_npu's own knows one memory format only."""
    if layout not in (None, torch.strided):
        raise NotImplementedError(f"aten::empty: Ferry has no {layout} tensors on the device")
    meta = torch.empty(
        size, dtype=dtype, device="meta", memory_format=memory_format or torch.contiguous_format
    )
    return torch.empty_strided(meta.size(), meta.stride(), dtype=meta.dtype, device=device)
