# SPDX-License-Identifier: Apache-2.0
# A side stream still copies a tensor out when its last reference is dropped: the allocator gives the block
# to the next tensor of the main stream.
# finds: stream-race
# names: copy float32[65536] npu:0 -> float32[65536] cpu
# names: aten::fill_.Scalar(float32[65536]
# names: the block was released
# names: record_stream
# names: release_block
import ferry.torch
import torch

host = torch.empty(1 << 16).pin_memory()
side = torch.npu.Stream()


def offload() -> None:
    x = torch.ones(1 << 16, device="npu")
    side.wait_stream(torch.npu.current_stream())
    with torch.npu.stream(side):
        host.copy_(x, non_blocking=True)
    x.record_stream(side)  # fixed
    release_block(x)


def release_block(x: torch.Tensor) -> None:
    x.set_(torch.empty(0, device="npu").untyped_storage())


offload()
y = torch.empty(1 << 16, device="npu").fill_(2)
torch.npu.synchronize()
