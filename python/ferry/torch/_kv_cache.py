# SPDX-License-Identifier: Apache-2.0
"""Operators of an NPU that read and write paged KV caches, on tensors of the host. A slot is the number of a
token's place in the cache, counted over all blocks; negative ones are skipped."""

from __future__ import annotations

import torch

from ._attention import attend, paged, pieces

_NORMAL = (None, "Norm")


def _put(cache: torch.Tensor, tokens: torch.Tensor, slots: torch.Tensor) -> None:
    """Into a cache [blocks, block size, heads, width]."""
    slots = slots.flatten().long()
    kept = slots >= 0
    rows = cache.view(-1, *cache.shape[2:])
    rows[slots[kept]] = tokens.reshape(-1, *cache.shape[2:])[: len(slots)][kept].to(cache.dtype)


def _put_tiled(cache: torch.Tensor, tokens: torch.Tensor, slots: torch.Tensor) -> None:
    """Into a cache [blocks, heads * width / tile, block size, tile]."""
    slots = slots.flatten().long()
    kept = slots >= 0
    blocks, offsets = slots[kept] // cache.shape[2], slots[kept] % cache.shape[2]
    rows = tokens.reshape(len(tokens), cache.shape[1], cache.shape[3])[: len(slots)]
    cache[blocks, :, offsets] = rows[kept].to(cache.dtype)


def reshape_and_cache(
    key: torch.Tensor,
    value: torch.Tensor,
    key_cache: torch.Tensor,
    value_cache: torch.Tensor,
    slot_indices: torch.Tensor,
) -> None:
    _put(key_cache, key, slot_indices)
    _put(value_cache, value, slot_indices)


def reshape_and_cache_siso(key: torch.Tensor, key_cache: torch.Tensor, slot_indices: torch.Tensor) -> None:
    _put(key_cache, key, slot_indices)


def scatter_pa_kv_cache(
    key: torch.Tensor,
    value: torch.Tensor,
    key_cache: torch.Tensor,
    value_cache: torch.Tensor,
    slot_mapping: torch.Tensor,
    *,
    compress_lens: torch.Tensor | None = None,
    compress_seq_offsets: torch.Tensor | None = None,
    seq_lens: torch.Tensor | None = None,
    cache_mode: str | None = "PA_NZ",
) -> None:
    if compress_lens is not None or compress_seq_offsets is not None:
        raise NotImplementedError("npu::npu_scatter_pa_kv_cache: Ferry has it without compression")
    put = _put if cache_mode in _NORMAL else _put_tiled
    put(key_cache, key, slot_mapping)
    put(value_cache, value, slot_mapping)


def scatter_pa_cache(
    key: torch.Tensor,
    slot_mapping: torch.Tensor,
    *,
    compress_lens: torch.Tensor | None = None,
    compress_seq_offsets: torch.Tensor | None = None,
    seq_lens: torch.Tensor | None = None,
    key_cache: torch.Tensor,
) -> torch.Tensor:
    if any(given is not None for given in (compress_lens, compress_seq_offsets, seq_lens)):
        raise NotImplementedError("npu::npu_scatter_pa_cache: Ferry has it without compression")
    _put(key_cache, key, slot_mapping)
    return key_cache


def gather_pa_kv_cache(
    key_cache: torch.Tensor,
    value_cache: torch.Tensor,
    block_tables: torch.Tensor,
    seq_lens: torch.Tensor,
    key: torch.Tensor,
    value: torch.Tensor,
    *,
    seq_offset: torch.Tensor | None = None,
    is_seq_lens_cumsum: bool = False,
) -> None:
    """Writes the tokens of all sequences one after another."""
    lengths = seq_lens.long()
    if is_seq_lens_cumsum:
        lengths = lengths.diff()
    ends = lengths.cumsum(0).tolist()
    for row, piece in enumerate(pieces(ends)):
        first = 0 if seq_offset is None else int(seq_offset[row])
        last = first + piece.stop - piece.start
        for cache, tokens in ((key_cache, key), (value_cache, value)):
            found = paged(cache, block_tables[row], last)[first:]
            tokens[piece] = found.reshape(tokens[piece].shape)


def paged_attention(
    query: torch.Tensor,
    key_cache: torch.Tensor,
    value_cache: torch.Tensor,
    num_kv_heads: int,
    num_heads: int,
    scale_value: float,
    block_table: torch.Tensor,
    context_lens: torch.Tensor,
    out: torch.Tensor,
    *,
    workspace: torch.Tensor | None = None,
) -> None:
    """One query per sequence."""
    queries, results = query.view(len(query), num_heads, -1), out.view(len(query), num_heads, -1)
    for row, length in enumerate(context_lens.tolist()):
        key, value = (paged(cache, block_table[row], length) for cache in (key_cache, value_cache))
        results[row : row + 1] = attend(queries[row : row + 1], key, value, scale_value)[0]


def kv_rmsnorm_rope_cache(
    kv: torch.Tensor,
    gamma: torch.Tensor,
    cos: torch.Tensor,
    sin: torch.Tensor,
    index: torch.Tensor,
    k_cache: torch.Tensor,
    ckv_cache: torch.Tensor,
    *,
    k_rope_scale: torch.Tensor | None = None,
    c_kv_scale: torch.Tensor | None = None,
    k_rope_offset: torch.Tensor | None = None,
    c_kv_offset: torch.Tensor | None = None,
    v: torch.Tensor | None = None,
    epsilon: float = 1e-5,
    cache_mode: str = "Norm",
    is_output_kv: bool = False,
) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor, torch.Tensor]:
    """Normalises the first part of kv [batch, 1, tokens, widths], rotates the second, and caches both."""
    if cache_mode not in ("Norm", "PA") or any(
        given is not None for given in (k_rope_scale, c_kv_scale, k_rope_offset, c_kv_offset, v)
    ):
        raise NotImplementedError(
            "npu::npu_kv_rmsnorm_rope_cache: Ferry has the cache modes Norm and PA, without quantisation and "
            f"without v; the call asks for {cache_mode}"
        )
    latent, rotated = kv.float().split([len(gamma), kv.shape[-1] - len(gamma)], -1)
    normal = latent * torch.rsqrt(latent.square().mean(-1, keepdim=True) + epsilon) * gamma.float()
    # Pairs side by side become halves.
    halves = rotated.unflatten(-1, (-1, 2)).transpose(-1, -2).flatten(-2)
    first, second = halves.chunk(2, -1)
    turned = halves * cos.float() + torch.cat((-second, first), -1) * sin.float()
    for cache, made in ((k_cache, turned), (ckv_cache, normal)):
        tokens = made.transpose(1, 2)  # [batch, tokens, heads, width]
        if cache_mode == "PA":
            _put(cache, tokens.flatten(0, 1), index)
        else:
            places = index.long().view(len(kv), -1)
            for row in range(len(kv)):
                kept = places[row] >= 0
                cache[row][:, places[row][kept]] = made[row][:, kept].to(cache.dtype)
    return k_cache, ckv_cache, turned.to(kv.dtype), normal.to(kv.dtype)
