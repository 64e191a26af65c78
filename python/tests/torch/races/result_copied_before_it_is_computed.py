# SPDX-License-Identifier: Apache-2.0
# A side stream copies a result to the host without waiting for the stream that computes it.
# finds: stream-race
# names: aten::mul_.Tensor(float32[65536]
# names: copy float32[65536] npu:0 -> float32[65536] cpu
# names: stream.wait_stream
import ferry.torch
import torch

x = torch.ones(1 << 16, device="npu")
host = torch.empty(1 << 16).pin_memory()
side = torch.npu.Stream()
torch.npu.synchronize()
x.mul_(3)
side.wait_stream(torch.npu.current_stream())  # fixed
with torch.npu.stream(side):
    host.copy_(x, non_blocking=True)
side.synchronize()
assert host[0] in (1, 3)
