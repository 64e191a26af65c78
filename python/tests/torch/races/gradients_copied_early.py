# SPDX-License-Identifier: Apache-2.0
# A side stream copies gradients to the host as soon as backward has returned.
# finds: stream-race
# finds: uninitialised-read
# names: copy float32[64, 64] npu:0 -> float32[64, 64] cpu
# names: wait_stream
import ferry.torch
import torch

model = torch.nn.Linear(64, 64).to("npu")
host = torch.empty(64, 64).pin_memory()
side = torch.npu.Stream()
torch.npu.synchronize()
model(torch.ones(8, 64, device="npu")).sum().backward()
side.wait_stream(torch.npu.current_stream())  # fixed
with torch.npu.stream(side):
    host.copy_(model.weight.grad, non_blocking=True)
torch.npu.synchronize()
