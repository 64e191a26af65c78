# SPDX-License-Identifier: Apache-2.0
# A side stream puts the next input into the place that a replayed graph is reading.
# finds: stream-race
# names: aten::mul.Tensor(float32[65536]
# names: copy float32[65536] cpu
# names: stream.wait_stream
import ferry.torch
import torch

x = torch.ones(1 << 16, device="npu")
following = torch.full((1 << 16,), 2.0).pin_memory()
side = torch.npu.Stream()
graph = torch.npu.NPUGraph()
torch.npu.synchronize()
with torch.npu.graph(graph):
    y = x * 2
graph.replay()
side.wait_stream(torch.npu.current_stream())  # fixed
with torch.npu.stream(side):
    x.copy_(following, non_blocking=True)
torch.npu.synchronize()
