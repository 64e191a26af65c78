# SPDX-License-Identifier: Apache-2.0
"""Operators of KV caches that only an NPU has, against plain PyTorch on the host."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import torch
import torch_npu

import ferry.torch  # noqa: F401

HEADS, GROUPS, WIDTH, BLOCK = 4, 2, 8, 4
LENGTHS = [5, 9, 1]
TABLE = torch.tensor([[2, 7, 0], [4, 1, 6], [3, 0, 0]], dtype=torch.int32)


def there(*tensors: torch.Tensor) -> list[torch.Tensor]:
    return [tensor.to("npu") for tensor in tensors]


def caches() -> tuple[torch.Tensor, torch.Tensor]:
    torch.manual_seed(1)
    return torch.randn(8, BLOCK, GROUPS, WIDTH), torch.randn(8, BLOCK, GROUPS, WIDTH)


def tokens_of(cache: torch.Tensor, row: int) -> torch.Tensor:
    return torch.cat([cache[block] for block in TABLE[row].tolist()])[: LENGTHS[row]]


def expected_attention(
    query: torch.Tensor, key: torch.Tensor, value: torch.Tensor, **options: Any
) -> torch.Tensor:
    """Of one sequence, [tokens, heads, width]."""
    one, two, three = (tensor.transpose(0, 1).unsqueeze(0) for tensor in (query, key, value))
    function = torch.nn.functional.scaled_dot_product_attention
    return function(one, two, three, enable_gqa=True, scale=0.3, **options)[0].transpose(0, 1)


def test_tokens_are_put_into_slots() -> None:
    key_cache, value_cache = (torch.zeros(3, BLOCK, GROUPS, WIDTH, device="npu") for _ in range(2))
    key, value = torch.randn(3, GROUPS, WIDTH), torch.randn(3, GROUPS, WIDTH)
    slots = torch.tensor([9, -1, 0], dtype=torch.int32)
    torch_npu._npu_reshape_and_cache(*there(key, value), key_cache, value_cache, slots.to("npu"))
    for cache, tokens in ((key_cache, key), (value_cache, value)):
        wanted = torch.zeros(3, BLOCK, GROUPS, WIDTH)
        wanted[2, 1], wanted[0, 0] = tokens[0], tokens[2]
        assert torch.equal(cache.cpu(), wanted)


@pytest.mark.parametrize("mode", ["Norm", "PA_NZ"])
def test_tokens_are_scattered_into_pages_and_gathered(mode: str) -> None:
    key, value = torch.randn(sum(LENGTHS), GROUPS, WIDTH), torch.randn(sum(LENGTHS), GROUPS, WIDTH)
    slots = torch.cat(
        [
            torch.tensor([int(TABLE[row, i // BLOCK]) * BLOCK + i % BLOCK for i in range(length)])
            for row, length in enumerate(LENGTHS)
        ]
    )
    tile = 4
    shape = (8, BLOCK, GROUPS, WIDTH) if mode == "Norm" else (8, GROUPS * WIDTH // tile, BLOCK, tile)
    key_cache, value_cache = (torch.zeros(shape, device="npu") for _ in range(2))
    torch_npu.npu_scatter_pa_kv_cache(
        *there(key, value), key_cache, value_cache, slots.to("npu"), cache_mode=mode
    )
    if mode == "PA_NZ":  # pages as [block, token, heads, width]
        key_cache, value_cache = (
            cache.permute(0, 2, 1, 3).reshape(8, BLOCK, GROUPS, WIDTH) for cache in (key_cache, value_cache)
        )
    keys, values = torch.empty_like(key, device="npu"), torch.empty_like(value, device="npu")
    lengths = torch.tensor(LENGTHS, dtype=torch.int32)
    torch_npu.npu_gather_pa_kv_cache(
        key_cache, value_cache, *there(TABLE, lengths), keys, values, seq_offset=None
    )
    assert torch.equal(keys.cpu(), key)
    assert torch.equal(values.cpu(), value)


def test_paged_attention_of_one_query_per_sequence() -> None:
    key_cache, value_cache = caches()
    query = torch.randn(3, HEADS, WIDTH)
    out = torch.empty(3, HEADS, WIDTH, device="npu")
    torch_npu._npu_paged_attention(
        query=query.to("npu"),
        key_cache=key_cache.to("npu"),
        value_cache=value_cache.to("npu"),
        num_kv_heads=GROUPS,
        num_heads=HEADS,
        scale_value=0.3,
        block_table=TABLE.to("npu"),
        context_lens=torch.tensor(LENGTHS, dtype=torch.int32),  # on the host
        out=out,
    )
    for row in range(3):
        wanted = expected_attention(
            query[row : row + 1], tokens_of(key_cache, row), tokens_of(value_cache, row)
        )
        torch.testing.assert_close(out[row : row + 1].cpu(), wanted)


CHANGES: dict[str, Callable[[torch.Tensor], torch.Tensor]] = {  # from BSND
    "BSH": lambda tensor: tensor.flatten(2),
    "BSND": lambda tensor: tensor,
    "BNSD": lambda tensor: tensor.transpose(1, 2),
}


@pytest.mark.parametrize("layout", CHANGES)
def test_fused_attention_in_each_layout(layout: str) -> None:
    torch.manual_seed(2)
    query, key, value = (torch.randn(2, 6, heads, WIDTH) for heads in (HEADS, GROUPS, GROUPS))
    change = CHANGES[layout]
    result, sums = torch_npu.npu_fused_infer_attention_score(
        *there(*(change(tensor).contiguous() for tensor in (query, key, value))),
        num_heads=HEADS,
        num_key_value_heads=GROUPS,
        input_layout=layout,
        scale=0.3,
        sparse_mode=3,
        atten_mask=torch.ones(2048, 2048, dtype=torch.bool).triu(1).to("npu"),
        softmax_lse_flag=True,
    )
    wanted = torch.stack([expected_attention(*three, is_causal=True) for three in zip(query, key, value)])
    torch.testing.assert_close(result.cpu(), change(wanted).contiguous())
    assert sums.shape == (2, HEADS, 6, 1)


def test_fused_attention_of_packed_queries_over_pages() -> None:
    """The tokens of a prefill see all of their prefix, and each other causally."""
    key_cache, value_cache = caches()
    ends = [2, 6, 7]
    query = torch.randn(ends[-1], HEADS, WIDTH)
    result, _ = torch_npu.npu_fused_infer_attention_score(
        *there(query, key_cache.flatten(2), value_cache.flatten(2)),
        num_heads=HEADS,
        num_key_value_heads=GROUPS,
        input_layout="TND",
        block_table=TABLE.to("npu"),
        block_size=BLOCK,
        actual_seq_lengths=ends,
        actual_seq_lengths_kv=LENGTHS,
        scale=0.3,
        sparse_mode=3,
        atten_mask=torch.ones(2048, 2048, dtype=torch.bool).triu(1).to("npu"),
    )
    for row, (start, end) in enumerate(zip([0, *ends], ends)):
        key, value = tokens_of(key_cache, row), tokens_of(value_cache, row)
        shown = torch.ones(end - start, len(key), dtype=torch.bool).tril(len(key) - (end - start))
        wanted = expected_attention(query[start:end], key, value, attn_mask=shown)
        torch.testing.assert_close(result[start:end].cpu(), wanted)


def test_fused_attention_says_what_it_does_not_have() -> None:
    query = torch.randn(1, 2, 8, device="npu")
    with pytest.raises(NotImplementedError, match=r"npu_fused_infer_attention_score.*BSNDX"):
        torch_npu.npu_fused_infer_attention_score(query, query, query, num_heads=1, input_layout="BSNDX")


def test_the_latent_cache_is_normalised_rotated_and_written() -> None:
    torch.manual_seed(3)
    kv, gamma = torch.randn(3, 1, 1, 16 + 4), torch.rand(16)
    angles = torch.rand(3, 1, 1, 4)
    slots = torch.tensor([7, 2, 5])
    ropes = torch.zeros(2, BLOCK, 1, 4, device="npu")
    latents = torch.zeros(2, BLOCK, 1, 16, device="npu")
    made = torch_npu.npu_kv_rmsnorm_rope_cache(
        *there(kv, gamma, angles.cos(), angles.sin(), slots), ropes, latents, epsilon=1e-6, cache_mode="PA"
    )
    assert made[0].data_ptr() == ropes.data_ptr()
    latent = torch.nn.functional.rms_norm(kv[..., :16], (16,), gamma, 1e-6)
    pairs = kv[..., 16:].unflatten(-1, (2, 2))
    halves = torch.cat((pairs[..., 0], pairs[..., 1]), -1)
    turned = torch.cat((-halves[..., 2:], halves[..., :2]), -1)
    rope = halves * angles.cos() + turned * angles.sin()
    torch.testing.assert_close(latents.cpu().view(-1, 16)[slots], latent.view(3, 16))
    torch.testing.assert_close(ropes.cpu().view(-1, 4)[slots], rope.view(3, 4))


@pytest.mark.parametrize("is_neox_style", [True, False])
def test_rotary_embedding_in_place(is_neox_style: bool) -> None:
    torch.manual_seed(4)
    query, key = torch.randn(3, HEADS * WIDTH), torch.randn(3, GROUPS * WIDTH)
    positions, angles = torch.tensor([4, 0, 2]), torch.rand(6, WIDTH // 2)
    table = torch.cat((angles.cos(), angles.sin()), -1)
    rotated = there(query, key)
    torch_npu._npu_rotary_embedding(positions.to("npu"), *rotated, WIDTH, table.to("npu"), is_neox_style)
    for made, given in zip(rotated, (query, key)):
        heads = given.view(3, -1, WIDTH)
        first, second = heads.chunk(2, -1) if is_neox_style else (heads[..., ::2], heads[..., 1::2])
        cosines, sines = (part[positions].unsqueeze(1) for part in (angles.cos(), angles.sin()))
        parts = (first * cosines - second * sines, second * cosines + first * sines)
        wanted = torch.cat(parts, -1) if is_neox_style else torch.stack(parts, -1).flatten(-2)
        torch.testing.assert_close(made.cpu(), wanted.view(3, -1))


def test_operators_that_are_missing_say_so() -> None:
    with pytest.raises(NotImplementedError, match="_npu_paged_attention_mla"):
        torch_npu._npu_paged_attention_mla()


def test_both_versions_of_fused_attention_and_their_out_forms_agree() -> None:
    torch.manual_seed(5)
    query, key, value = there(*(torch.randn(2, 6, heads * WIDTH) for heads in (HEADS, GROUPS, GROUPS)))
    shared: dict[str, Any] = {"num_key_value_heads": GROUPS, "input_layout": "BSH"}
    old = {"num_heads": HEADS, "scale": 0.3, "actual_seq_lengths_kv": [6, 4], **shared}
    new = {"num_query_heads": HEADS, "softmax_scale": 0.3, "actual_seq_kvlen": [6, 4], **shared}
    first, _ = torch_npu.npu_fused_infer_attention_score(query, key, value, **old)
    second, _ = torch_npu.npu_fused_infer_attention_score_v2(query, key, value, **new)
    assert torch.equal(first.cpu(), second.cpu())
    for version, options in (("", old), ("_v2", new)):
        name = f"npu_fused_infer_attention_score{version}"
        out = getattr(torch.ops.npu, f"_{name}_infer_output")(
            query, value, input_layout="BSH", **{k: v for k, v in options.items() if "heads" in k}
        )
        assert [tensor.device.type for tensor in out] == ["npu", "npu"]
        getattr(torch.ops.npu, name).out(query, key, value, **options, out=list(out))
        assert torch.equal(out[0].cpu(), first.cpu())


def test_tokens_of_one_cache_are_scattered_into_pages() -> None:
    cache, keys = torch.zeros(3, BLOCK, GROUPS, WIDTH), torch.randn(2, GROUPS, WIDTH)
    slots = torch.tensor([7, 2], dtype=torch.int32)
    on_device = cache.to("npu")
    made = torch.ops.npu.npu_scatter_pa_cache(*there(keys, slots), key_cache=on_device)
    cache.view(-1, GROUPS, WIDTH)[slots.long()] = keys
    assert made.data_ptr() == on_device.data_ptr()
    assert torch.equal(on_device.cpu(), cache)


def test_attention_over_parts_of_the_keys_is_joined() -> None:
    query, key, value = torch.randn(6, WIDTH), torch.randn(10, WIDTH), torch.randn(10, WIDTH)
    scores = query @ key.t()
    pieces = (slice(0, 3), slice(3, 10))
    sums = [scores[:, piece].logsumexp(-1) for piece in pieces]
    parts = [scores[:, piece].softmax(-1) @ value[piece] for piece in pieces]
    made, total = torch_npu.npu_attention_update(there(*sums), there(*parts), 1)
    torch.testing.assert_close(made.cpu(), scores.softmax(-1) @ value)
    torch.testing.assert_close(total.cpu(), scores.logsumexp(-1))
    # A part that sees no key has no weight.
    sums[0].fill_(float("-inf"))
    made, _ = torch_npu.npu_attention_update(there(*sums), there(*parts), 0)
    torch.testing.assert_close(made.cpu(), parts[1])
    with pytest.raises(RuntimeError, match="update_type is 2"):
        torch_npu.npu_attention_update(there(*sums), there(*parts), 2)
