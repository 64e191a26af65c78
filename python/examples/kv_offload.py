# SPDX-License-Identifier: Apache-2.0
"""A KV-cache offload: waiting sequences move their cache blocks to pinned host memory, and get other blocks
when they resume. The blocks are scattered over one big device buffer; each move is one batch. Every byte is
checked.

    python kv_offload.py [--layers 4] [--blocks 512] [--block-bytes 8192] [--turns 8]
"""

from __future__ import annotations

import argparse
import sys
import time
from typing import Any

import numpy as np

import ferry


class DeviceCache:
    """The cache on the device: `layers` x `blocks` blocks in one Buffer."""

    def __init__(self, layers: int, blocks: int, block_bytes: int) -> None:
        self.layers = layers
        self.block_bytes = block_bytes
        self.buffer = ferry.Buffer(layers * blocks * block_bytes)
        self._layer_bytes = blocks * block_bytes

    def block(self, layer: int, block: int) -> ferry.BufferView:
        start = layer * self._layer_bytes + block * self.block_bytes
        return self.buffer[start : start + self.block_bytes]


def offload(cache: DeviceCache, blocks: Any, stream: ferry.Stream) -> tuple[Any, ferry.Transfer]:
    """Queues the copy out: all layers of the blocks into a new pinned array."""
    saved = ferry.pinned_empty((cache.layers, len(blocks), cache.block_bytes), "uint8")
    pairs = [
        (saved[layer, i], cache.block(layer, int(block)))
        for layer in range(cache.layers)
        for i, block in enumerate(blocks)
    ]
    return saved, ferry.copy_batch_async(pairs, stream=stream)


def restore(cache: DeviceCache, saved: Any, blocks: Any, stream: ferry.Stream) -> ferry.Transfer:
    """Queues the copy back into other blocks. The transfer keeps `saved` alive."""
    pairs = [
        (cache.block(layer, int(block)), saved[layer, i])
        for layer in range(cache.layers)
        for i, block in enumerate(blocks)
    ]
    return ferry.copy_batch_async(pairs, stream=stream)


def write_blocks(cache: DeviceCache, blocks: Any, contents: Any) -> None:
    """Stands in for the model: new contents for some blocks."""
    ferry.copy_batch(
        [
            (cache.block(layer, int(block)), contents[layer, i])
            for layer in range(cache.layers)
            for i, block in enumerate(blocks)
        ]
    )


def read_blocks(cache: DeviceCache, blocks: Any) -> Any:
    contents = np.empty((cache.layers, len(blocks), cache.block_bytes), "uint8")
    ferry.copy_batch(
        [
            (contents[layer, i], cache.block(layer, int(block)))
            for layer in range(cache.layers)
            for i, block in enumerate(blocks)
        ]
    )
    return contents


def run(layers: int, blocks: int, block_bytes: int, turns: int) -> None:
    random = np.random.default_rng(2026)
    moved, seconds = 0, 0.0
    with ferry.Device(0), ferry.Stream() as stream:
        cache = DeviceCache(layers, blocks, block_bytes)
        with cache.buffer:
            for _ in range(turns):
                # Two sequences share the cache; the first one has to wait.
                order = random.permutation(blocks)
                mine, free = order[: blocks // 2], order[blocks // 2 :]
                contents = random.integers(0, 256, (layers, len(mine), block_bytes), "uint8")
                write_blocks(cache, mine, contents)

                start = time.perf_counter()
                saved, out = offload(cache, mine, stream)
                out.wait()  # only now may the blocks be overwritten
                seconds += time.perf_counter() - start
                write_blocks(cache, mine, np.zeros_like(contents))

                target = free[: len(mine)]
                start = time.perf_counter()
                back = restore(cache, saved, target, stream)
                del saved
                back.wait()
                seconds += time.perf_counter() - start
                moved += 2 * contents.nbytes
                if not np.array_equal(read_blocks(cache, target), contents[:, : len(target)]):
                    sys.exit("a block came back changed")
    speed = moved / seconds / 1e9
    print(f"{turns} turns, {moved / 2**20:.0f} MiB in {seconds:.3f} s: {speed:.2f} GB/s, every byte equal")


def main() -> None:
    parser = argparse.ArgumentParser(description="A KV-cache offload with numpy arrays.")
    parser.add_argument("--layers", type=int, default=4)
    parser.add_argument("--blocks", type=int, default=512)
    parser.add_argument("--block-bytes", type=int, default=8192)
    parser.add_argument("--turns", type=int, default=8)
    options = parser.parse_args()
    run(options.layers, options.blocks - options.blocks % 2, options.block_bytes, options.turns)


if __name__ == "__main__":
    main()
