# SPDX-License-Identifier: Apache-2.0
"""The operators of vllm-ascend that move blocks of KV caches, for a vllm-ascend without its compiled
extension. Its KV offload needs no other. Import this module instead of the extension; not beside it, which
defines the same operators.

>>> import ferry.torch.vllm_ascend                                           # doctest: +SKIP
>>> torch.ops._C_ascend.swap_blocks_batch(sources, places, sizes, 1)         # doctest: +SKIP
"""

from __future__ import annotations

import acl
import torch
import torch_npu

from ..errors import check
from ._described import noted

_HOST, _DEVICE = 0, 1  # types of locations
_KINDS = {0: (_HOST, _DEVICE), 1: (_DEVICE, _HOST), 2: (_DEVICE, _DEVICE)}  # directions: from, to
_MEMCPY_DEVICE_TO_DEVICE = 3
_MEMCPY_DEFAULT = 4


def _require_numbers(name: str, tensor: torch.Tensor, count: int) -> None:
    if tensor.device.type != "cpu" or tensor.dtype != torch.int64 or tensor.shape != (count,):
        raise RuntimeError(
            f"swap_blocks_batch: {name} is {tensor.dtype} {tuple(tensor.shape)} on {tensor.device}; "
            f"{count} numbers of type int64 on the host are needed"
        )


def swap_blocks_batch(
    src_ptrs: torch.Tensor, dst_ptrs: torch.Tensor, sizes: torch.Tensor, direction: int
) -> None:
    """Copies blocks between addresses, in the order of the current stream. direction: 0 from the host, 1 to
    the host, 2 on the device."""
    for name, tensor in (("src_ptrs", src_ptrs), ("dst_ptrs", dst_ptrs), ("sizes", sizes)):
        _require_numbers(name, tensor, src_ptrs.numel())
    if direction not in _KINDS:
        raise RuntimeError(f"swap_blocks_batch: direction is {direction}, allowed are 0, 1 and 2")
    sources, places, lengths = src_ptrs.tolist(), dst_ptrs.tolist(), sizes.tolist()
    if not sources:
        return
    stream = torch.npu.current_stream().npu_stream
    with noted(f"swap_blocks_batch of {len(sources)} blocks, {sum(lengths)} bytes"):
        if direction == 2:
            for source, place, length in zip(sources, places, lengths):
                check(acl.rt.memcpy_async(place, length, source, length, _MEMCPY_DEVICE_TO_DEVICE, stream))
            return
        source_type, place_type = _KINDS[direction]
        device = torch.npu.current_device()
        where = {
            "srcLoc": {"id": device if source_type == _DEVICE else 0, "type": source_type},
            "dstLoc": {"id": device if place_type == _DEVICE else 0, "type": place_type},
        }
        _, code = acl.rt.memcpy_batch_async(places, lengths, sources, lengths, [where], [0], stream)
        check(code)


def swap_blocks(x: torch.Tensor, y: torch.Tensor, z: torch.Tensor) -> None:
    """Copies block z[i, 0] of x to block z[i, 1] of y, in the order of the current stream."""
    if z.device.type != "cpu" or z.dim() != 2 or z.shape[1] != 2:
        raise RuntimeError(
            f"swap_blocks: the mapping is {tuple(z.shape)} on {z.device}; pairs on the host are needed"
        )
    stream = torch.npu.current_stream().npu_stream
    size = x.stride(0) * x.element_size()
    for source, place in z.tolist():
        if not (0 <= source < len(x) and 0 <= place < len(y)):
            raise RuntimeError(f"swap_blocks: block {source} of {len(x)} to block {place} of {len(y)}")
        with noted(f"swap_blocks of {size} bytes"):
            start, end = x.data_ptr() + source * size, y.data_ptr() + place * size
            check(acl.rt.memcpy_async(end, size, start, size, _MEMCPY_DEFAULT, stream))


def _define() -> torch.library.Library:
    library = torch.library.Library("_C_ascend", "FRAGMENT")
    library.define("swap_blocks_batch(Tensor src_ptrs, Tensor dst_ptrs, Tensor sizes, int direction) -> ()")
    library.define("swap_blocks(Tensor x, Tensor(a!) y, Tensor z) -> ()")
    # The lists of addresses are on the host, the caches on either side.
    library.impl("swap_blocks_batch", swap_blocks_batch, "CPU")
    for key in ("CPU", "PrivateUse1"):
        library.impl("swap_blocks", swap_blocks, key)
    return library


_library = _define()
assert torch_npu is not None  # imported for its effect
