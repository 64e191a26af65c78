# SPDX-License-Identifier: Apache-2.0
# The main stream computes with a tensor that a side stream is still copying in.
# finds: stream-race
# names: aten::add.Tensor(float32[128, 128], float32[128, 128]
# names: copy float32[128, 128] cpu
# names: stream.wait_stream
import ferry.torch
import torch

weights = torch.ones(128, 128).pin_memory()
there = torch.zeros(128, 128, device="npu")
side = torch.npu.Stream()
torch.npu.synchronize()
with torch.npu.stream(side):
    there.copy_(weights, non_blocking=True)
torch.npu.current_stream().wait_stream(side)  # fixed
result = there + there
torch.npu.synchronize()
