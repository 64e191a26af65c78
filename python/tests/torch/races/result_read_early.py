# SPDX-License-Identifier: Apache-2.0
# A result is read on the host right after a copy that does not block.
# finds: host-read-in-flight
# names: copy float32[65536] npu:0 -> float32[65536] cpu
import ferry.torch
import torch

x = torch.ones(1 << 16, device="npu") * 2
host = torch.empty(1 << 16).pin_memory()
host.copy_(x, non_blocking=True)
torch.npu.current_stream().synchronize()  # fixed
total = host.sum()
torch.npu.synchronize()
