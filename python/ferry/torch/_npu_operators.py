# SPDX-License-Identifier: Apache-2.0
"""Operators that only an NPU has. Those that KV caches and their neighbours call are composed of aten
operators, so that they have derivatives, or computed on the host as one work; the others say that they are
missing."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import torch

from . import _fused_attention, _kv_cache


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


def _interleave_rope(tensor: torch.Tensor, cosines: torch.Tensor, sines: torch.Tensor) -> torch.Tensor:
    halves = tensor.unflatten(-1, (-1, 2)).transpose(-1, -2).flatten(-2)
    return _rotary_mul(halves, cosines, sines)


def _rotate_first(tensor: torch.Tensor, cosines: torch.Tensor, sines: torch.Tensor, mode: str) -> None:
    """In place, the first elements of each row, as many as there are cosines."""
    part = tensor[..., : cosines.shape[-1]]
    part.copy_(_rotary_mul(part, cosines, sines, mode))


def _apply_rotary_pos_emb(
    query: torch.Tensor,
    key: torch.Tensor,
    cos: torch.Tensor,
    sin: torch.Tensor,
    layout: str = "BSND",
    rotary_mode: str = "half",
) -> tuple[torch.Tensor, torch.Tensor]:
    for tensor in (query, key):
        _rotate_first(tensor, cos, sin, rotary_mode)
    return query, key


def rotary_embedding(
    positions: torch.Tensor,
    query: torch.Tensor,
    key: torch.Tensor,
    head_size: int,
    cos_sin_cache: torch.Tensor,
    is_neox_style: bool,
) -> None:
    """The cache holds cosines of all frequencies, then sines, per position."""
    halves = cos_sin_cache[positions.flatten().long()].chunk(2, -1)
    if is_neox_style:
        cosines, sines = (torch.cat((half, half), -1).unsqueeze(1) for half in halves)
    else:
        cosines, sines = (half.repeat_interleave(2, -1).unsqueeze(1) for half in halves)
    for tensor in (query, key):
        heads = tensor.view(positions.numel(), -1, head_size)
        _rotate_first(heads, cosines, sines, "half" if is_neox_style else "interleave")


def _attention_update(
    lse: list[torch.Tensor], local_out: list[torch.Tensor], update_type: int
) -> tuple[torch.Tensor, torch.Tensor]:
    """Joins results over parts of the keys: each has the logarithm of its sum of exponentials."""
    if update_type not in (0, 1):
        raise RuntimeError(f"npu::npu_attention_update: update_type is {update_type}, allowed are 0 and 1")
    sums = torch.stack(list(lse)).float()
    total = sums.logsumexp(0)
    # A query that sees nothing gets zeros.
    weights = (sums - total).exp().nan_to_num(0.0).unsqueeze(-1)
    parts = torch.stack([part.float() for part in local_out])
    return (parts * weights).sum(0).to(local_out[0].dtype), total


def _silu(tensor: torch.Tensor) -> torch.Tensor:
    return torch.nn.functional.silu(tensor)


def _transpose(tensor: torch.Tensor, perm: list[int], require_contiguous: bool = True) -> torch.Tensor:
    return tensor.permute(perm).clone(memory_format=torch.contiguous_format)


@dataclass(frozen=True)
class OnHost:
    """An operator that a function computes on the host, as one work of the stream."""

    function: Callable[..., Any]
    shapes: Callable[..., Any] | None = None
    """Of its results, on meta tensors; None: torch_npu knows them."""
    writes: tuple[str, ...] = ()
    """Arguments that it changes although its schema does not say so."""


def _nothing(*_: object, **__: object) -> None:
    """The shapes of an operator that returns nothing."""


def _out(*_: Any, out: list[torch.Tensor], **__: Any) -> list[torch.Tensor]:
    return out


def _cache_itself(*_: object, key_cache: torch.Tensor, **__: object) -> torch.Tensor:
    return key_cache


def _kv_rope_shapes(
    kv: torch.Tensor,
    gamma: torch.Tensor,
    cos: torch.Tensor,
    sin: torch.Tensor,
    index: torch.Tensor,
    k_cache: torch.Tensor,
    ckv_cache: torch.Tensor,
    **_: Any,
) -> tuple[torch.Tensor, ...]:
    # The caches themselves, which are written in place.
    widths = (cos.shape[-1], len(gamma))
    return (k_cache, ckv_cache, *(kv.new_empty((*kv.shape[:-1], width)) for width in widths))


def _infer_output(
    query: torch.Tensor,
    value: torch.Tensor,
    *,
    input_layout: str = "BSH",
    num_heads: int = 1,
    num_query_heads: int = 0,
    num_key_value_heads: int = 0,
    block_table: torch.Tensor | None = None,
    softmax_lse_flag: bool = False,
    return_softmax_lse: bool = False,
    **_: Any,
) -> tuple[torch.Tensor, torch.Tensor]:
    """Empty tensors for the out= form: torch_npu's meta operator knows their shapes."""
    one, other = (torch.empty_like(tensor, device="meta") for tensor in (query, value))
    shapes = torch.ops.npu.npu_fused_infer_attention_score.default(
        one,
        other,
        other,
        input_layout=input_layout,
        num_heads=num_query_heads or num_heads,
        num_key_value_heads=num_key_value_heads,
        block_table=None if block_table is None else torch.empty_like(block_table, device="meta"),
        softmax_lse_flag=softmax_lse_flag or return_softmax_lse,
    )
    return tuple(torch.empty(made.shape, dtype=made.dtype, device=query.device) for made in shapes)


def workspace(query: torch.Tensor, *_: object, **__: object) -> torch.Tensor:
    return query.new_empty(0)


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
    "npu_attention_update": _attention_update,
    "npu_swiglu": _swiglu,
    "npu_silu": _silu,
    "npu_transpose": _transpose,
    "npu_interleave_rope": _interleave_rope,
    "npu_apply_rotary_pos_emb": _apply_rotary_pos_emb,
    "_npu_fused_infer_attention_score_get_max_workspace": workspace,
    "_npu_fused_infer_attention_score_v2_get_max_workspace": workspace,
    "_npu_fused_infer_attention_score_infer_output": _infer_output,
    "_npu_fused_infer_attention_score_v2_infer_output": _infer_output,
}

ON_HOST: dict[str, OnHost] = {
    "npu_scatter_pa_kv_cache": OnHost(_kv_cache.scatter_pa_kv_cache, _nothing),
    "npu_scatter_pa_cache.value": OnHost(_kv_cache.scatter_pa_cache, _cache_itself),
    "npu_gather_pa_kv_cache": OnHost(_kv_cache.gather_pa_kv_cache, _nothing),
    "npu_kv_rmsnorm_rope_cache": OnHost(
        _kv_cache.kv_rmsnorm_rope_cache, _kv_rope_shapes, ("k_cache", "ckv_cache")
    ),
    "npu_fused_infer_attention_score": OnHost(_fused_attention.fused_infer_attention_score),
    "npu_fused_infer_attention_score.out": OnHost(
        _fused_attention.into(_fused_attention.fused_infer_attention_score), _out, ("out",)
    ),
    "npu_fused_infer_attention_score_v2": OnHost(_fused_attention.fused_infer_attention_score_v2),
    "npu_fused_infer_attention_score_v2.out": OnHost(
        _fused_attention.into(_fused_attention.fused_infer_attention_score_v2), _out, ("out",)
    ),
}

# torch_npu moves their bytes without an operator.
KEPT = ("npu_change_data_ptr", "npu_reshape", "npu_reshape.out")


def missing(name: str) -> Callable[..., Any]:
    def refuse(*_: object, **__: object) -> Any:
        raise NotImplementedError(f"npu::{name}: Ferry does not have this operator")

    return refuse
