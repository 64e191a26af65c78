# SPDX-License-Identifier: Apache-2.0
"""Operators that only an NPU has. Those that KV caches and their neighbours call are composed of aten
operators, so that they have derivatives; the others say that they are missing."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch


def _format_cast(tensor: torch.Tensor, *_: object, **__: object) -> torch.Tensor:
    return tensor  # there is one format


def _npu_dtype_cast(tensor: torch.Tensor, dtype: torch.dtype) -> torch.Tensor:
    return tensor.to(dtype)


def _scatter_nd_update_(tensor: torch.Tensor, indices: torch.Tensor, updates: torch.Tensor) -> torch.Tensor:
    places = tuple(indices.long().unbind(-1))
    return tensor.index_put_(places, updates.to(tensor.dtype))


def _scatter_nd_update(tensor: torch.Tensor, indices: torch.Tensor, updates: torch.Tensor) -> torch.Tensor:
    return _scatter_nd_update_(tensor.clone(), indices, updates)


def _scatter_update_(
    tensor: torch.Tensor, indices: torch.Tensor, updates: torch.Tensor, axis: int
) -> torch.Tensor:
    """Writes updates[i] at indices[i] of the axis into tensor[i]."""
    axis = axis % tensor.dim()
    if axis == 0 or indices.dim() != 1 or indices.shape[0] != updates.shape[0]:
        raise NotImplementedError(
            "npu::scatter_update: Ferry has it for an axis after the batch, one index per batch"
        )
    length = updates.shape[axis]
    places = indices.long().view(-1, *[1] * (updates.dim() - 1))
    steps = torch.arange(length, device=tensor.device).view(
        [length if i == axis else 1 for i in range(updates.dim())]
    )
    where = (places + steps).expand(updates.shape)
    if updates.shape[0] == tensor.shape[0]:
        return tensor.scatter_(axis, where, updates.to(tensor.dtype))
    tensor[: updates.shape[0]].scatter_(axis, where, updates.to(tensor.dtype))
    return tensor


def _scatter_update(
    tensor: torch.Tensor, indices: torch.Tensor, updates: torch.Tensor, axis: int
) -> torch.Tensor:
    return _scatter_update_(tensor.clone(), indices, updates, axis)


def _rms_norm(
    tensor: torch.Tensor, gamma: torch.Tensor, epsilon: float = 1e-6
) -> tuple[torch.Tensor, torch.Tensor]:
    axes = list(range(tensor.dim() - gamma.dim(), tensor.dim()))
    wide = tensor.float()
    factor = torch.rsqrt(wide.square().mean(axes, keepdim=True) + epsilon)
    return (wide * factor * gamma.float()).to(tensor.dtype), factor


def _add_rms_norm(
    one: torch.Tensor, other: torch.Tensor, gamma: torch.Tensor, epsilon: float = 1e-6
) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    total = one + other
    return (*_rms_norm(total, gamma, epsilon), total)


def _rotary_mul(
    tensor: torch.Tensor,
    cosines: torch.Tensor,
    sines: torch.Tensor,
    rotary_mode: str = "half",
    rotate: torch.Tensor | None = None,
) -> torch.Tensor:
    if rotate is not None:
        return tensor * cosines + torch.matmul(tensor, rotate) * sines
    if rotary_mode == "half":
        first, second = tensor.chunk(2, -1)
        turned = torch.cat((-second, first), -1)
    elif rotary_mode == "interleave":
        turned = torch.stack((-tensor[..., 1::2], tensor[..., ::2]), -1).flatten(-2)
    else:
        raise NotImplementedError(
            f"npu::npu_rotary_mul: Ferry has the modes half and interleave, not {rotary_mode}"
        )
    return tensor * cosines + turned * sines


def _swiglu(tensor: torch.Tensor, dim: int = -1) -> torch.Tensor:
    gate, value = tensor.chunk(2, dim)
    return torch.nn.functional.silu(gate) * value


def _silu(tensor: torch.Tensor) -> torch.Tensor:
    return torch.nn.functional.silu(tensor)


def _transpose(tensor: torch.Tensor, perm: list[int], require_contiguous: bool = True) -> torch.Tensor:
    return tensor.permute(perm).clone(memory_format=torch.contiguous_format)


OPERATORS: dict[str, Callable[..., Any]] = {
    "npu_format_cast": _format_cast,
    "npu_format_cast.Tensor": _format_cast,
    "npu_format_cast_": _format_cast,
    "npu_format_cast_.acl_format": _format_cast,
    "_npu_dtype_cast": _npu_dtype_cast,
    "npu_scatter_nd_update": _scatter_nd_update,
    "npu_scatter_nd_update_": _scatter_nd_update_,
    "scatter_update": _scatter_update,
    "scatter_update_": _scatter_update_,
    "npu_rms_norm": _rms_norm,
    "npu_add_rms_norm": _add_rms_norm,
    "npu_rotary_mul": _rotary_mul,
    "npu_swiglu": _swiglu,
    "npu_silu": _silu,
    "npu_transpose": _transpose,
}

# torch_npu moves their bytes without an operator.
KEPT = ("npu_change_data_ptr", "npu_reshape", "npu_reshape.out")


def missing(name: str) -> Callable[..., Any]:
    def refuse(*_: object, **__: object) -> Any:
        raise NotImplementedError(f"npu::{name}: Ferry does not have this operator")

    return refuse
