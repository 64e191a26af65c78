# SPDX-License-Identifier: Apache-2.0
"""Attention on the host, as the fused operators of an NPU define it: in float32, per sequence, with grouped
heads, masks, and caches in pages."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import torch

WIDE = 2147483647  # no limit for a band

# Values of sparse_mode: what is visible without an explicit mask, or beside it.
_DEFAULT, _ALL, _LEFT_CAUSAL, _RIGHT_CAUSAL, _BAND = range(5)


@dataclass(frozen=True)
class Visible:
    """Which keys a query sees. Masks have ones (True) where a key is hidden."""

    mode: int = _DEFAULT
    mask: torch.Tensor | None = None
    before: int = WIDE
    after: int = WIDE

    def hidden(self, sequence: int, queries: int, keys: int) -> torch.Tensor | None:
        """[queries, keys], or [heads, queries, keys]."""
        if self.mode in (_LEFT_CAUSAL, _RIGHT_CAUSAL, _BAND):
            shift = 0 if self.mode == _LEFT_CAUSAL else keys - queries
            distance = torch.arange(keys) - torch.arange(queries).view(-1, 1) - shift
            if self.mode == _BAND:
                return (distance > self.after) | (distance < -self.before)
            return distance > 0
        if self.mask is None:
            return None
        mask = self.mask.bool()
        if mask.dim() == 4 or mask.dim() == 3:
            mask = mask[min(sequence, mask.shape[0] - 1)]
        hidden = mask[..., :queries, :keys]
        if self.mode == _DEFAULT and (self.before < WIDE or self.after < WIDE):
            distance = torch.arange(keys) - torch.arange(queries).view(-1, 1)
            hidden = hidden | (distance > self.after) | (distance < -self.before)
        return hidden


def attend(
    query: torch.Tensor,
    key: torch.Tensor,
    value: torch.Tensor,
    scale: float,
    hidden: torch.Tensor | None = None,
    bias: torch.Tensor | None = None,
) -> tuple[torch.Tensor, torch.Tensor]:
    """One sequence: query [queries, heads, width], key and value [keys, fewer heads, width]. Returns the
    result [queries, heads, width of the value], and the logarithm of the sum of the exponentials
    [heads, queries]."""
    group = query.shape[1] // key.shape[1]
    wide_key = key.float().repeat_interleave(group, 1).permute(1, 2, 0)
    wide_value = value.float().repeat_interleave(group, 1).transpose(0, 1)
    scores = query.float().transpose(0, 1) @ wide_key * scale
    if bias is not None:
        scores = scores + bias
    if hidden is not None:
        scores = scores.masked_fill(hidden, float("-inf"))
    sums = scores.logsumexp(-1)
    # A query that sees nothing gets zeros.
    weights = (scores - sums.unsqueeze(-1)).exp().nan_to_num(0.0)
    return (weights @ wide_value).transpose(0, 1).to(query.dtype), sums


def paged(cache: torch.Tensor, table: torch.Tensor, length: int) -> torch.Tensor:
    """The first tokens of a sequence: of a cache [blocks, block size, heads, width], by its row of the table
    of blocks."""
    size = cache.shape[1]
    blocks = table[: (length + size - 1) // size].long()
    return cache[blocks].flatten(0, 1)[:length]


def pieces(ends: Sequence[int]) -> list[slice]:
    """Sequences one after another, by where each ends."""
    starts = [0, *ends[:-1]]
    return [slice(start, end) for start, end in zip(starts, ends)]
