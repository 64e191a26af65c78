# SPDX-License-Identifier: Apache-2.0
# The side stream waits for an event that was recorded before the operator that it needs.
# finds: stream-race
# names: aten::add_.Tensor(float32[65536]
# names: aten::mul.Tensor(float32[65536]
# names: wait_event
import ferry.torch
import torch

x = torch.ones(1 << 16, device="npu")
side, ready = torch.npu.Stream(), torch.npu.Event()
torch.npu.synchronize()
ready.record()  # racy
x.add_(1)
ready.record()  # fixed
side.wait_event(ready)
with torch.npu.stream(side):
    y = x * 2
torch.npu.synchronize()
