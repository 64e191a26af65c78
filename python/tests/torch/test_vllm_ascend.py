# SPDX-License-Identifier: Apache-2.0
"""The operators that vllm-ascend's KV offload takes from its compiled extension."""

from __future__ import annotations

import pytest
import torch

import ferry.torch.vllm_ascend  # noqa: F401

OUT, IN, INSIDE = 1, 0, 2
ops = torch.ops._C_ascend


def move(source: torch.Tensor, place: torch.Tensor, pairs: list[tuple[int, int]], direction: int) -> None:
    size = source.stride(0) * source.element_size()
    starts, ends = zip(*pairs)
    ops.swap_blocks_batch(
        torch.tensor([source.data_ptr() + size * block for block in starts]),
        torch.tensor([place.data_ptr() + size * block for block in ends]),
        torch.full((len(pairs),), size),
        direction,
    )


def test_blocks_move_out_and_back_in_the_order_of_the_stream() -> None:
    cache = torch.zeros(6, 4, 8, device="npu")
    cache += torch.arange(6, device="npu").view(6, 1, 1)
    saved = torch.full((3, 4, 8), -1.0).pin_memory()
    side = torch.npu.Stream()
    side.wait_stream(torch.npu.current_stream())
    with torch.npu.stream(side):
        move(cache, saved, [(5, 0), (2, 1)], OUT)
        cache[5] = 0
        move(saved, cache, [(0, 1), (1, 5)], IN)
        move(cache, cache, [(4, 0)], INSIDE)
    side.synchronize()
    assert saved[:, 0, 0].tolist() == [5, 2, -1]
    assert cache[:, 3, 7].tolist() == [4, 5, 2, 3, 4, 2]


def test_blocks_of_two_tensors_are_swapped_by_number() -> None:
    cache = torch.arange(12.0).view(4, 3).to("npu")
    saved = torch.zeros(2, 3).pin_memory()
    ops.swap_blocks(cache, saved, torch.tensor([[3, 0], [1, 1]]))
    torch.npu.synchronize()
    assert saved.tolist() == [[9, 10, 11], [3, 4, 5]]
    ops.swap_blocks(saved, cache, torch.tensor([[0, 2]]))
    torch.npu.synchronize()
    assert cache[2].tolist() == [9, 10, 11]


def test_wrong_arguments_are_refused() -> None:
    numbers = torch.zeros(1, dtype=torch.int64)
    with pytest.raises(RuntimeError, match="direction is 3"):
        ops.swap_blocks_batch(numbers, numbers, numbers, 3)
    with pytest.raises(RuntimeError, match=r"sizes is torch.int64 \(2,\)"):
        ops.swap_blocks_batch(numbers, numbers, torch.ones(2, dtype=torch.int64), IN)
    cache = torch.zeros(2, 3, device="npu")
    with pytest.raises(RuntimeError, match="block 0 of 2 to block 2 of 2"):
        ops.swap_blocks(cache, cache, torch.tensor([[0, 2]]))
