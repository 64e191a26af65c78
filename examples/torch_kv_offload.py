# SPDX-License-Identifier: Apache-2.0
"""A small transformer decodes with a paged KV cache. Each block that is full is offloaded to pinned memory on
a side stream while decoding goes on. Then the cache is lost, its blocks are loaded back, and the decoder goes
on. The tokens must be those of a decoder that never offloaded anything.

    python torch_kv_offload.py [--forget-record-stream] [--tokens N]

With --forget-record-stream the allocator does not know that the side stream still reads a packed block when
its tensor is released. The next tensor of the main stream gets that memory. On most runs nothing happens; the
checker finds it in each run:

    ferry run --check -- python torch_kv_offload.py --forget-record-stream
"""

from __future__ import annotations

import argparse

import ferry.torch  # makes the device npu
import torch

LAYERS, HEADS, WIDTH, BLOCK, WORDS = 2, 4, 16, 8, 50


class Model(torch.nn.Module):
    """Attention and one linear layer per layer, each with its residual."""

    def __init__(self) -> None:
        super().__init__()
        size = HEADS * WIDTH
        self.words = torch.nn.Embedding(WORDS, size)
        self.places = torch.nn.Embedding(256, size)
        self.into = torch.nn.ModuleList(torch.nn.Linear(size, 3 * size) for _ in range(LAYERS))
        self.mix = torch.nn.ModuleList(torch.nn.Linear(size, size) for _ in range(LAYERS))
        self.norm = torch.nn.LayerNorm(size)
        self.out = torch.nn.Linear(size, WORDS)

    def forward(self, word: torch.Tensor, cache: Cache, position: int) -> torch.Tensor:
        """The next word after this one."""
        state = self.words(word) + self.places.weight[position]
        for layer in range(LAYERS):
            query, key, value = self.into[layer](self.norm(state)).view(3, HEADS, WIDTH)
            cache.put(layer, position, key, value)
            keys, values = cache.tokens(layer, position + 1)
            scores = torch.einsum("hw,thw->ht", query, keys) / WIDTH**0.5
            state = state + 4 * torch.einsum("ht,thw->hw", scores.softmax(-1), values).flatten()
            state = state + torch.relu(self.mix[layer](self.norm(state)))
        return self.out(self.norm(state)).argmax()


class Cache:
    """Keys and values of one sequence, in blocks of a pool."""

    def __init__(self, blocks: int, device: str) -> None:
        self.pool = torch.zeros(LAYERS, 2, blocks, BLOCK, HEADS, WIDTH, device=device)
        self.table = list(reversed(range(blocks)))  # of the sequence's blocks, in any order

    def put(self, layer: int, position: int, key: torch.Tensor, value: torch.Tensor) -> None:
        block, offset = self.table[position // BLOCK], position % BLOCK
        self.pool[layer, 0, block, offset] = key
        self.pool[layer, 1, block, offset] = value

    def tokens(self, layer: int, count: int) -> tuple[torch.Tensor, torch.Tensor]:
        blocks = self.table[: (count + BLOCK - 1) // BLOCK]
        keys, values = self.pool[layer][:, blocks].flatten(1, 2)[:, :count]
        return keys, values


class Offloader:
    """Copies blocks out and in on a stream of its own."""

    def __init__(self, cache: Cache, records: bool) -> None:
        self.cache = cache
        self.records = records
        self.side = torch.npu.Stream()
        self.saved: dict[int, torch.Tensor] = {}

    def save(self, number: int) -> None:
        """Block `number` of the sequence. Returns while the copy is in flight."""
        main = torch.npu.current_stream()
        packed = self.cache.pool[:, :, self.cache.table[number]].contiguous()
        host = torch.empty(packed.shape).pin_memory()
        self.side.wait_stream(main)
        with torch.npu.stream(self.side):
            host.copy_(packed, non_blocking=True)
        if self.records:
            packed.record_stream(self.side)  # else the allocator reuses its memory at once
        self.saved[number] = host

    def load_all(self) -> None:
        """Work that the current stream gets from now on sees the blocks."""
        main = torch.npu.current_stream()
        self.side.wait_stream(main)
        with torch.npu.stream(self.side):
            for number, host in self.saved.items():
                self.cache.pool[:, :, self.cache.table[number]] = host.to("npu", non_blocking=True)
        main.wait_stream(self.side)


def decode(model: Model, cache: Cache, tokens: int, offloader: Offloader | None = None) -> list[int]:
    device = str(cache.pool.device)
    word, words = torch.tensor(1, device=device), []
    for position in range(tokens):
        if offloader is not None and position == tokens // 2 // BLOCK * BLOCK + BLOCK // 2:
            keep = position // BLOCK  # the block in use stays
            lost = [block for number, block in enumerate(cache.table) if number != keep]
            cache.pool[:, :, lost] = 0
            offloader.load_all()
        word = model(word, cache, position)
        words.append(word)
        if offloader is not None and position % BLOCK == BLOCK - 1:
            offloader.save(position // BLOCK)
    return [int(word) for word in torch.stack(words).tolist()]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--forget-record-stream", action="store_true")
    parser.add_argument("--tokens", type=int, default=6 * BLOCK)
    options = parser.parse_args()
    if not 2 * BLOCK <= options.tokens <= 256:
        parser.error(f"--tokens {options.tokens}: {2 * BLOCK} to 256 are possible")
    torch.manual_seed(7)
    model, blocks = Model(), (options.tokens + BLOCK - 1) // BLOCK
    with torch.no_grad():
        expected = decode(model, Cache(blocks, "cpu"), options.tokens)
        cache = Cache(blocks, "npu:0")
        offloader = Offloader(cache, not options.forget_record_stream)
        found = decode(model.to("npu"), cache, options.tokens, offloader)
    if found != expected:
        print(f"wrong: {found}, expected {expected}")
        return 1
    print(f"{options.tokens} tokens, {len(offloader.saved)} blocks offloaded: as without offload")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
