# SPDX-License-Identifier: Apache-2.0
# A pinned staging buffer is filled again while the copy out of it is queued.
# finds: host-write-in-flight
# names: copy float32[65536] cpu -> float32[65536] npu:0
import ferry.torch
import torch

staging = torch.empty(1 << 16).pin_memory()
batches = [torch.empty(1 << 16, device="npu") for _ in range(2)]
for number, batch in enumerate(batches):
    staging.fill_(number)
    batch.copy_(staging, non_blocking=True)
    torch.npu.current_stream().synchronize()  # fixed
torch.npu.synchronize()
