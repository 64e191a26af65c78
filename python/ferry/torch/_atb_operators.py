# SPDX-License-Identifier: Apache-2.0
"""The namespace ``atb``: operators that torch_npu takes from a separate package for an NPU. Without that
package it has not even their schemas, so those of KV caches are defined here; the others say that they are
missing."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
import torch_npu
from torch_npu.op_plugin.atb import _atb_ops

from . import _kv_cache
from ._npu_operators import missing, rotary_embedding, workspace
from ._operators import Operator

_PAGED = (
    "(Tensor query, Tensor key_cache, Tensor value_cache, int num_kv_heads, int num_heads, "
    "float scale_value, Tensor block_table, Tensor context_lens, Tensor(a!) out"
)
_SCHEMAS = {
    "_npu_reshape_and_cache": "(Tensor key, Tensor value, Tensor(a!) key_cache, Tensor(b!) value_cache, "
    "Tensor slot_indices) -> ()",
    "_npu_reshape_and_cache_siso": "(Tensor key, Tensor(a!) key_cache, Tensor slot_indices) -> ()",
    "_npu_paged_attention": f"{_PAGED}, *, Tensor? workspace=None) -> ()",
    "_npu_paged_attention_get_workspace": f"{_PAGED}) -> Tensor",
    "_npu_rotary_embedding": "(Tensor positions, Tensor(a!) query, Tensor(b!) key, int head_size, "
    "Tensor cos_sin_cache, bool is_neox_style) -> ()",
}
_ON_HOST: dict[str, Callable[..., Any]] = {
    "_npu_reshape_and_cache": _kv_cache.reshape_and_cache,
    "_npu_reshape_and_cache_siso": _kv_cache.reshape_and_cache_siso,
    "_npu_paged_attention": _kv_cache.paged_attention,
}
_COMPOSED: dict[str, Callable[..., Any]] = {
    "_npu_paged_attention_get_workspace": workspace,
    "_npu_rotary_embedding": rotary_embedding,
}


def _nothing(*_: object, **__: object) -> None:
    """The shapes of an operator that returns nothing."""


def install() -> list[torch.library.Library]:
    """The result must be kept: it holds the operators."""
    if _atb_ops.NNAL_EX is None:
        return []  # the package is there
    library = torch.library.Library("atb", "FRAGMENT")
    for name, schema in _SCHEMAS.items():
        library.define(name + schema)
        overload = getattr(torch.ops.atb, name).default
        function = _COMPOSED.get(name) or Operator(
            overload, function=_ON_HOST[name], shapes=_nothing, may_mix=True
        )
        library.impl(name, function, "PrivateUse1")
    for name in _atb_ops.API_LIST:
        found = getattr(torch.ops.atb, name) if name in _SCHEMAS else missing(name)
        setattr(torch_npu, name, found)
    for name in _atb_ops.ATB_API_LIST:
        setattr(torch_npu.atb, name, missing(name))
    return [library]
