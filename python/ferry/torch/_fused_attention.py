# SPDX-License-Identifier: Apache-2.0
"""npu_fused_infer_attention_score on tensors of the host: brings any layout into sequences of
[tokens, heads, width], and back."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import torch

from ._attention import WIDE, Visible, attend, paged, pieces

# From [batch, ...] in a layout to [batch, tokens, heads, width], and back.
_Change = Callable[[torch.Tensor, int], torch.Tensor]
_INTO: dict[str, _Change] = {
    "BSH": lambda tensor, heads: tensor.unflatten(-1, (heads, -1)),
    "BSND": lambda tensor, heads: tensor,
    "BNSD": lambda tensor, heads: tensor.transpose(1, 2),
}
_BACK: dict[str, Callable[[torch.Tensor], torch.Tensor]] = {
    "BSH": lambda tensor: tensor.flatten(2),
    "BSND": lambda tensor: tensor,
    "BNSD": lambda tensor: tensor.transpose(1, 2),
}


_NAME = "npu::npu_fused_infer_attention_score"


def _refuse(options: dict[str, Any]) -> None:
    given = [option for option, value in options.items() if value is not None]
    if given:
        raise NotImplementedError(f"{_NAME}: Ferry has it without {', '.join(given)}")


def _layouts(layout: str) -> tuple[str, str]:
    """Of the query and of the result."""
    of_query, _, of_result = layout.partition("_")
    if of_query not in (*_INTO, "TND") or (of_result or of_query) not in (*_BACK, "TND"):
        raise NotImplementedError(f"{_NAME}: Ferry has the layouts BSH, BSND, BNSD and TND, not {layout}")
    return of_query, of_result or of_query


def _lengths(given: Sequence[int] | None, batches: int, whole: int) -> list[int]:
    if given is None or len(given) == 0:
        return [whole] * batches
    return [int(given[0])] * batches if len(given) == 1 else [int(length) for length in given[:batches]]


def _sequences(
    tensor: torch.Tensor, layout: str, heads: int, ends: Sequence[int] | None
) -> list[torch.Tensor]:
    if layout == "TND":
        return [tensor[piece] for piece in pieces([int(end) for end in ends or ()])]
    batches = _INTO[layout](tensor, heads)
    return [batch[:length] for batch, length in zip(batches, _lengths(ends, len(batches), batches.shape[1]))]


def _pages(
    cache: torch.Tensor, table: torch.Tensor, heads: int, lengths: Sequence[int] | None
) -> list[torch.Tensor]:
    """A cache is [blocks, block size, heads * width], [blocks, block size, heads, width] or
    [blocks, heads, block size, width]."""
    if cache.dim() == 3:
        cache = cache.unflatten(-1, (heads, -1))
    elif cache.shape[2] != heads:
        cache = cache.transpose(1, 2)
    whole = table.shape[1] * cache.shape[1]
    return [paged(cache, row, length) for row, length in zip(table, _lengths(lengths, len(table), whole))]


def _with_rope(main: list[torch.Tensor], rope: list[torch.Tensor] | None) -> list[torch.Tensor]:
    return main if rope is None else [torch.cat(pair, -1) for pair in zip(main, rope)]


def _bias(pse: torch.Tensor | None, row: int, queries: int, keys: int) -> torch.Tensor | None:
    return None if pse is None else pse[min(row, len(pse) - 1), :, :queries, :keys].float()


def _gather(made: list[torch.Tensor], layout: str) -> torch.Tensor:
    if layout == "TND":
        return torch.cat(made)
    longest = max(len(sequence) for sequence in made)
    padded = [torch.nn.functional.pad(one, (0, 0, 0, 0, 0, longest - len(one))) for one in made]
    return _BACK[layout](torch.stack(padded))


def _attend_each(
    queries: list[torch.Tensor],
    keys: list[torch.Tensor],
    values: list[torch.Tensor],
    scale: float,
    visible: Visible,
    pse: torch.Tensor | None,
) -> tuple[list[torch.Tensor], list[torch.Tensor]]:
    """Results and sums of the sequences."""
    made, sums = [], []
    for row, (one, its_keys, its_values) in enumerate(zip(queries, keys, values)):
        hidden = visible.hidden(row, len(one), len(its_keys))
        bias = _bias(pse, row, len(one), len(its_keys))
        result, its_sums = attend(one, its_keys, its_values, scale, hidden, bias)
        made.append(result)
        sums.append(its_sums.transpose(0, 1).unsqueeze(-1))
    return made, sums


def fused_infer_attention_score(
    query: torch.Tensor,
    key: torch.Tensor,
    value: torch.Tensor,
    *,
    pse_shift: torch.Tensor | None = None,
    atten_mask: torch.Tensor | None = None,
    actual_seq_lengths: Sequence[int] | None = None,
    actual_seq_lengths_kv: Sequence[int] | None = None,
    block_table: torch.Tensor | None = None,
    query_rope: torch.Tensor | None = None,
    key_rope: torch.Tensor | None = None,
    num_heads: int = 1,
    scale: float = 1.0,
    pre_tokens: int = WIDE,
    next_tokens: int = WIDE,
    input_layout: str = "BSH",
    num_key_value_heads: int = 0,
    sparse_mode: int = 0,
    inner_precise: int = 0,
    block_size: int = 0,
    antiquant_mode: int = 0,
    key_antiquant_mode: int = 0,
    value_antiquant_mode: int = 0,
    softmax_lse_flag: bool = False,
    workspace: torch.Tensor | None = None,
    **others: Any,
) -> tuple[torch.Tensor, torch.Tensor]:
    _refuse(others)
    layout, of_result = _layouts(input_layout)
    heads = num_key_value_heads or num_heads

    def of_cache(cache: torch.Tensor | None) -> list[torch.Tensor] | None:
        if cache is None:
            return None
        if block_table is not None:
            return _pages(cache, block_table, heads, actual_seq_lengths_kv)
        return _sequences(cache, layout, heads, actual_seq_lengths_kv)

    queries = _sequences(query, layout, num_heads, actual_seq_lengths)
    if query_rope is not None:
        ropes = _sequences(query_rope, layout, num_heads, actual_seq_lengths)
        queries = _with_rope(queries, ropes)
    keys, values = _with_rope(of_cache(key) or [], of_cache(key_rope)), of_cache(value) or []
    visible = Visible(sparse_mode, atten_mask, pre_tokens, next_tokens)
    made, sums = _attend_each(queries, keys, values, scale, visible, pse_shift)
    if not softmax_lse_flag:
        return _gather(made, of_result), torch.empty(0)
    return _gather(made, of_result), _gather(sums, "TND" if layout == "TND" else "BNSD")


# What version 2 of the operator calls its arguments.
_RENAMED = {
    "actual_seq_qlen": "actual_seq_lengths",
    "actual_seq_kvlen": "actual_seq_lengths_kv",
    "num_query_heads": "num_heads",
    "softmax_scale": "scale",
    "return_softmax_lse": "softmax_lse_flag",
}


def fused_infer_attention_score_v2(
    *tensors: torch.Tensor, **options: Any
) -> tuple[torch.Tensor, torch.Tensor]:
    modes = [name for name in options if name.endswith("_quant_mode")]
    for name in modes:
        if options.pop(name) != 0:
            raise NotImplementedError(f"{_NAME}_v2: Ferry has it without {name}")
    return fused_infer_attention_score(*tensors, **{_RENAMED.get(k, k): v for k, v in options.items()})


def into(attend_to: Callable[..., tuple[torch.Tensor, torch.Tensor]]) -> Callable[..., list[torch.Tensor]]:
    """The out= form of one of them."""

    def write(*tensors: torch.Tensor, out: list[torch.Tensor], **options: Any) -> list[torch.Tensor]:
        for given, made in zip(out, attend_to(*tensors, **options)):
            if made.numel():
                given.copy_(made)
        return out

    return write
