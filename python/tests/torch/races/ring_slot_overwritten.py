# SPDX-License-Identifier: Apache-2.0
# A loader copies the next batch into a slot of a ring that the main stream has not finished with.
# finds: stream-race
# names: copy float32[65536] cpu -> float32[65536] npu:0
# names: aten::sum(float32[65536]
import ferry.torch
import torch

slots = [torch.zeros(1 << 16, device="npu") for _ in range(2)]
batches = [torch.full((1 << 16,), float(i)).pin_memory() for i in range(4)]
used = [None, None]
loader, main = torch.npu.Stream(), torch.npu.current_stream()
loader.wait_stream(main)
totals = []
for number, batch in enumerate(batches):
    slot = number % 2
    with torch.npu.stream(loader):
        if used[slot]:  # fixed
            loader.wait_event(used[slot])  # fixed
        slots[slot].copy_(batch, non_blocking=True)
    main.wait_stream(loader)
    totals.append(slots[slot].sum())
    used[slot] = main.record_event()
torch.npu.synchronize()
