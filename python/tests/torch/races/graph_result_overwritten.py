# SPDX-License-Identifier: Apache-2.0
# A side stream copies a graph's result out while the graph is replayed again.
# finds: stream-race
# names: aten::mul.Tensor(float32[65536]
# names: copy float32[65536] npu:0
# names: wait_stream
import ferry.torch
import torch

x = torch.ones(1 << 16, device="npu")
host = torch.empty(1 << 16).pin_memory()
side, main = torch.npu.Stream(), torch.npu.current_stream()
graph = torch.npu.NPUGraph()
torch.npu.synchronize()
with torch.npu.graph(graph):
    y = x * 2
graph.replay()
side.wait_stream(main)
with torch.npu.stream(side):
    host.copy_(y, non_blocking=True)
main.wait_stream(side)  # fixed
graph.replay()
torch.npu.synchronize()
