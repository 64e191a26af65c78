# SPDX-License-Identifier: Apache-2.0
# One block of a paged KV cache is written by the next step while a side stream saves it.
# finds: stream-race
# names: copy bfloat16[16, 4, 32] npu:0 -> bfloat16[16, 4, 32] cpu
# names: copy bfloat16[4, 32] npu:0 -> bfloat16[4, 32] npu:0
# names: wait
import ferry.torch
import torch

cache = torch.zeros(8, 16, 4, 32, dtype=torch.bfloat16, device="npu")
saved = torch.empty(16, 4, 32, dtype=torch.bfloat16).pin_memory()
key = torch.ones(4, 32, dtype=torch.bfloat16, device="npu")
side, main = torch.npu.Stream(), torch.npu.current_stream()
side.wait_stream(main)
with torch.npu.stream(side):
    saved.copy_(cache[5], non_blocking=True)
done = side.record_event()
main.wait_event(done)  # fixed
cache[5, 3] = key
cache[6, 0] = key
torch.npu.synchronize()
