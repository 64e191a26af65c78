# SPDX-License-Identifier: Apache-2.0
"""The operator that sgl-kernel-npu's KV cache takes from its compiled extension."""

from __future__ import annotations

import pytest
import torch

import ferry.torch.sgl_kernel_npu  # noqa: F401

TO_DEVICE, TO_HOST, FLAGS = 1, 2, 2
LAYERS, PAGES, SAVED, PAGE, HEADS, WIDTH = 3, 5, 4, 2, 2, 4
NOTHING = torch.empty(0)
transfer = torch.ops.npu.transfer_kv_dim_exchange


def caches() -> tuple[torch.Tensor, torch.Tensor]:
    """Each page of the device has its own number."""
    numbers = torch.arange(float(LAYERS * PAGES)).view(LAYERS, PAGES, 1, 1, 1)
    device = numbers.expand(LAYERS, PAGES, PAGE, HEADS, WIDTH).contiguous().to("npu")
    return device, torch.full((SAVED, LAYERS, PAGE, HEADS, WIDTH), -1.0).pin_memory()


def tokens(*pages: int) -> torch.Tensor:
    return torch.tensor([page * PAGE + i for page in pages for i in range(PAGE)])


def test_pages_move_out_and_back_in_the_order_of_the_stream() -> None:
    (keys, saved_keys), (values, saved_values) = caches(), caches()
    values += 100
    side = torch.npu.Stream()
    side.wait_stream(torch.npu.current_stream())
    with torch.npu.stream(side):
        transfer(keys, saved_keys, values, saved_values, tokens(4, 1), tokens(0, 3), PAGE, TO_HOST, FLAGS)
        keys.zero_()
        transfer(keys, saved_keys, NOTHING, NOTHING, tokens(2), tokens(3), PAGE, TO_DEVICE, FLAGS)
    side.synchronize()
    assert saved_keys[:, :, 0, 0, 0].tolist() == [[4, 9, 14], [-1] * 3, [-1] * 3, [1, 6, 11]]
    assert saved_values[3, :, 1, 1, 3].tolist() == [101, 106, 111]
    assert keys[:, :, 1, 1, 3].tolist() == [[0, 0, layer * PAGES + 1, 0, 0] for layer in range(LAYERS)]


def test_wrong_arguments_are_refused() -> None:
    keys, saved = caches()
    with pytest.raises(RuntimeError, match="direct is 3"):
        transfer(keys, saved, NOTHING, NOTHING, tokens(0), tokens(0), PAGE, 3, FLAGS)
    with pytest.raises(RuntimeError, match="flags is 1"):
        transfer(keys, saved, NOTHING, NOTHING, tokens(0), tokens(0), PAGE, TO_HOST, 1)
    with pytest.raises(RuntimeError, match="pages of 3 tokens"):
        transfer(keys, saved, NOTHING, NOTHING, tokens(0), tokens(0), 3, TO_HOST, FLAGS)
    with pytest.raises(RuntimeError, match="host_indices names page 4, allowed is 0 to 3"):
        transfer(keys, saved, NOTHING, NOTHING, tokens(4), tokens(4), PAGE, TO_HOST, FLAGS)
    with pytest.raises(RuntimeError, match="2 pages and host_indices 1"):
        transfer(keys, saved, NOTHING, NOTHING, tokens(0, 1), tokens(0), PAGE, TO_HOST, FLAGS)
    with pytest.raises(RuntimeError, match="multiple of 2"):
        transfer(keys, saved, NOTHING, NOTHING, tokens(0)[:1], tokens(0), PAGE, TO_HOST, FLAGS)
    assert (saved == -1).all()
