# SPDX-License-Identifier: Apache-2.0
# The copy is on a side stream, and the host waits for the main stream before it reads.
# finds: host-read-in-flight
# names: copy float32[65536] npu:0 -> float32[65536] cpu
import ferry.torch
import torch

x = torch.ones(1 << 16, device="npu")
host = torch.empty(1 << 16).pin_memory()
side = torch.npu.Stream()
side.wait_stream(torch.npu.current_stream())
with torch.npu.stream(side):
    host.copy_(x, non_blocking=True)
torch.npu.current_stream().synchronize()  # racy
side.synchronize()  # fixed
total = host.sum()
torch.npu.synchronize()
