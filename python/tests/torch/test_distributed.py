# SPDX-License-Identifier: Apache-2.0
"""The backend hccl of torch.distributed, between two processes with one device each."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

PROGRAM = """
import sys
import ferry.torch
import torch
import torch.distributed as dist

rank, folder = int(sys.argv[1]), sys.argv[2]
dist.init_process_group("hccl", rank=rank, world_size=2, init_method=f"file://{folder}/rendezvous")
torch.npu.set_device(rank)


def filled(*values):
    return torch.tensor([float(value) for value in values], device="npu")


def check(tensor, *values):
    assert tensor.device == torch.device("npu", rank), tensor.device
    assert tensor.tolist() == [float(value) for value in values], (tensor.tolist(), values)


x = filled(rank, 5)
dist.all_reduce(x)
check(x, 1, 10)
x = filled(rank, 5)
dist.all_reduce(x, op=dist.ReduceOp.AVG)
check(x, 0.5, 5)
x = filled(rank, 5)
dist.all_reduce(x, op=dist.ReduceOp.MAX, async_op=True).wait()
check(x, 1, 5)

x = filled(rank, 7)
dist.broadcast(x, 1)
check(x, 1, 7)
x = filled(rank + 1)
dist.reduce(x, 0)
check(x, 3 if rank == 0 else 2)

parts = [filled(0) for _ in range(2)]
dist.all_gather(parts, filled(rank + 3))
check(torch.cat(parts), 3, 4)
whole = filled(0, 0)
dist.all_gather_into_tensor(whole, filled(rank + 3))
check(whole, 3, 4)
part = filled(0, 0)
dist.reduce_scatter_tensor(part, filled(0, 1, 2, 3))
check(part, *([0, 2] if rank == 0 else [4, 6]))
dist.reduce_scatter(part, [filled(0, 1), filled(2, 3)])
check(part, *([0, 2] if rank == 0 else [4, 6]))

dist.all_to_all_single(part, filled(10 * rank, 10 * rank + 1))
check(part, rank, 10 + rank)
parts = [filled(0, 0), filled(0, 0)]
dist.all_to_all(parts, [filled(rank, 0), filled(rank, 1)])
check(torch.cat(parts), 0, rank, 1, rank)

gathered = [filled(0) for _ in range(2)] if rank == 0 else None
dist.gather(filled(rank), gathered)
if gathered:
    check(torch.cat(gathered), 0, 1)
part = filled(0)
dist.scatter(part, [filled(5), filled(6)] if rank == 0 else None)
check(part, 5 + rank)

if rank == 0:
    dist.send(filled(1, 2), 1)
else:
    x = filled(0, 0)
    dist.recv(x, 0)
    check(x, 1, 2)

objects = [None, None]
dist.all_gather_object(objects, {"rank": rank})
assert objects == [{"rank": 0}, {"rank": 1}], objects

model = torch.nn.parallel.DistributedDataParallel(torch.nn.Linear(2, 1, bias=False).npu())
model(filled(rank + 1, rank + 1)).sum().backward()
check(model.module.weight.grad[0], 1.5, 1.5)

side = dist.new_group([0, 1])
dist.barrier(group=side)
dist.barrier()
assert dist.get_backend() == "hccl"
dist.destroy_process_group()
print("done")
"""


def test_collectives_between_two_processes(tmp_path: Path) -> None:
    environment = {**os.environ, "FERRY_DEVICES": "cpu:2", "FERRY_SCHEDULE": "lazy"}
    processes = [
        subprocess.Popen(
            [sys.executable, "-c", PROGRAM, str(rank), str(tmp_path)],
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        for rank in range(2)
    ]
    try:
        outputs = [process.communicate(timeout=300)[0] for process in processes]
    finally:
        for process in processes:
            process.kill()
    for process, output in zip(processes, outputs):
        assert process.returncode == 0, "\n".join(outputs)
        assert "done" in output
