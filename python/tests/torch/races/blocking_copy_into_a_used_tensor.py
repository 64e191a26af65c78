# SPDX-License-Identifier: Apache-2.0
# A copy that blocks writes a tensor that a side stream still reads: it waits for the current stream only.
# finds: sync-copy-race
# names: aten::mul.Tensor(float32[65536]
# names: copy float32[65536] cpu -> float32[65536] npu:0
import ferry.torch
import torch

x = torch.ones(1 << 16, device="npu")
side, main = torch.npu.Stream(), torch.npu.current_stream()
side.wait_stream(main)
with torch.npu.stream(side):
    y = x * 2
main.wait_stream(side)  # fixed
x.copy_(torch.zeros(1 << 16))
torch.npu.synchronize()
