# SPDX-License-Identifier: Apache-2.0
# A tensor is made on a side stream and used on the main stream. The side stream gets its block back while the
# main stream still reads it.
# finds: stream-race
# names: the block was released
# names: record_stream
# names: aten::zero_(float32[65536])
import ferry.torch
import torch

side = torch.npu.Stream()
out = torch.zeros(1 << 16, device="npu")
main = torch.npu.current_stream()
torch.npu.synchronize()
with torch.npu.stream(side):
    x = torch.ones(1 << 16, device="npu")
main.wait_stream(side)
out.add_(x)
x.record_stream(main)  # fixed
del x
with torch.npu.stream(side):
    y = torch.empty(1 << 16, device="npu").zero_()
torch.npu.synchronize()
