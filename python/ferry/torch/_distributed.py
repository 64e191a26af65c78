# SPDX-License-Identifier: Apache-2.0
"""The backend ``hccl`` of torch.distributed: collectives are carried by gloo, over host memory. A collective
waits for the current stream, and returns when the host has the result; the copy back is work of that
stream."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import timedelta
from typing import Any

import torch
import torch.distributed as dist

from ._operators import is_on_device

Tensors = Sequence[torch.Tensor]


class Finished(dist._Work):  # type: ignore[misc]  # torch has no types for it
    """A collective that is done."""

    def __init__(self, result: Any) -> None:
        super().__init__()
        self._future: torch.futures.Future[Any] = torch.futures.Future()
        self._future.set_result(result)

    def wait(self, timeout: timedelta | None = None) -> bool:
        return True

    def is_completed(self) -> bool:
        return True

    def is_success(self) -> bool:
        return True

    def get_future(self) -> torch.futures.Future[Any]:
        return self._future

    def result(self) -> Any:
        return self._future.value()


def _on_host(tensor: torch.Tensor) -> torch.Tensor:
    return tensor.cpu().contiguous() if is_on_device(tensor) else tensor.contiguous()


def _all_on_host(tensors: Tensors) -> list[torch.Tensor]:
    return [_on_host(tensor) for tensor in tensors]


def _put(tensors: Tensors, values: Tensors) -> None:
    for tensor, value in zip(tensors, values):
        if tensor.data_ptr() != value.data_ptr():
            tensor.copy_(value)


def _flat(tensors: Tensors) -> torch.Tensor:
    return torch.cat([tensor.flatten() for tensor in tensors])


class HostGroup(dist.ProcessGroup):  # type: ignore[misc]
    """One process of a group. Tensors may be on any device, and on the host."""

    def __init__(self, store: Any, rank: int, size: int, timeout: timedelta) -> None:
        super().__init__(rank, size)
        self._rank = rank
        self._size = size
        self._gloo = dist.ProcessGroupGloo(store, rank, size, timeout)

    def getBackendName(self) -> str:
        return "hccl"

    def _get_backend(self, device: torch.device) -> HostGroup:
        return self  # of every kind of device

    def _through(self, tensors: Tensors, run: Callable[[list[torch.Tensor]], Any]) -> Finished:
        """A collective that changes the tensors in place."""
        here = _all_on_host(tensors)
        run(here).wait()
        _put(tensors, here)
        return Finished(list(tensors))

    def _reduced(self, value: torch.Tensor, operation: Any) -> torch.Tensor:
        """Over all processes. The value is on the host, and is overwritten."""
        averages = operation == dist.ReduceOp.AVG
        options = dist.AllreduceOptions()
        options.reduceOp = dist.ReduceOp.SUM if averages else operation
        self._gloo.allreduce([value], options).wait()
        return value.div_(self._size) if averages else value

    # ---- one tensor per process ----

    def allreduce(self, tensors: Tensors, opts: Any = None) -> Finished:
        operation = dist.ReduceOp.SUM if opts is None else opts.reduceOp
        _put(tensors, [self._reduced(here.clone(), operation) for here in _all_on_host(tensors)])
        return Finished(list(tensors))

    def allreduce_coalesced(self, tensors: Tensors, opts: Any = None) -> Finished:
        return self.allreduce(tensors, opts)

    def reduce(self, tensors: Tensors, opts: Any) -> Finished:
        values = [self._reduced(here.clone(), opts.reduceOp) for here in _all_on_host(tensors)]
        if self._rank == opts.rootRank:
            _put(tensors, values)
        return Finished(list(tensors))

    def broadcast(self, tensors: Tensors, opts: Any) -> Finished:
        return self._through(tensors, lambda here: self._gloo.broadcast(here, opts))

    def barrier(self, opts: Any = None) -> Finished:
        torch.npu.synchronize()
        self._gloo.barrier().wait()
        return Finished(None)

    def send(self, tensors: Tensors, destination: int, tag: int = 0) -> Finished:
        self._gloo.send(_all_on_host(tensors), destination, tag).wait()
        return Finished(None)

    def recv(self, tensors: Tensors, source: int, tag: int = 0) -> Finished:
        return self._through(tensors, lambda here: self._gloo.recv(here, source, tag))

    def recv_anysource(self, tensors: Tensors, tag: int = 0) -> Finished:
        return self._through(tensors, lambda here: self._gloo.recv_anysource(here, tag))

    # ---- a tensor of each process ----

    def _gathered(self, tensor: torch.Tensor) -> list[torch.Tensor]:
        here = _on_host(tensor)
        parts = [torch.empty_like(here) for _ in range(self._size)]
        self._gloo.allgather([parts], [here]).wait()
        return parts

    def allgather(self, outputs: Sequence[Tensors], inputs: Tensors, opts: Any = None) -> Finished:
        for places, tensor in zip(outputs, inputs):
            _put(places, self._gathered(tensor))
        return Finished([list(places) for places in outputs])

    def _allgather_base(self, output: torch.Tensor, tensor: torch.Tensor, opts: Any = None) -> Finished:
        output.copy_(torch.stack(self._gathered(tensor)).view(output.shape))
        return Finished([output])

    def allgather_into_tensor_coalesced(
        self, outputs: Tensors, inputs: Tensors, opts: Any = None
    ) -> Finished:
        for output, tensor in zip(outputs, inputs):
            self._allgather_base(output, tensor)
        return Finished(list(outputs))

    def gather(self, outputs: Sequence[Tensors], inputs: Tensors, opts: Any) -> Finished:
        parts = self._gathered(inputs[0])
        if self._rank == opts.rootRank:
            _put(outputs[0], parts)
        return Finished(None)

    def scatter(self, outputs: Tensors, inputs: Sequence[Tensors], opts: Any) -> Finished:
        here = _on_host(outputs[0])
        sources = [_all_on_host(inputs[0])] if self._rank == opts.rootRank else []
        self._gloo.scatter([here], sources, opts).wait()
        _put(outputs, [here])
        return Finished(list(outputs))

    def reduce_scatter(self, outputs: Tensors, inputs: Sequence[Tensors], opts: Any) -> Finished:
        parts = _all_on_host(inputs[0])
        whole = self._reduced(_flat(parts), opts.reduceOp)
        own = whole.split([part.numel() for part in parts])[self._rank]
        _put(outputs, [own.view(outputs[0].shape)])
        return Finished(list(outputs))

    def _reduce_scatter_base(self, output: torch.Tensor, tensor: torch.Tensor, opts: Any) -> Finished:
        return self.reduce_scatter([output], [tensor.flatten().chunk(self._size)], opts)

    def reduce_scatter_tensor_coalesced(self, outputs: Tensors, inputs: Tensors, opts: Any) -> Finished:
        for output, tensor in zip(outputs, inputs):
            self._reduce_scatter_base(output, tensor, opts)
        return Finished(list(outputs))

    # ---- a tensor for each process ----

    def alltoall_base(
        self,
        output: torch.Tensor,
        tensor: torch.Tensor,
        output_sizes: list[int],
        input_sizes: list[int],
        opts: Any = None,
    ) -> Finished:
        here = _on_host(tensor)
        made = torch.empty(output.shape, dtype=output.dtype)
        self._gloo.alltoall_base(made, here, output_sizes, input_sizes, dist.AllToAllOptions()).wait()
        _put([output], [made])
        return Finished([output])

    def alltoall(self, outputs: Tensors, inputs: Tensors, opts: Any = None) -> Finished:
        sizes = [output.numel() for output in outputs]
        made = torch.empty(sum(sizes), dtype=outputs[0].dtype)
        here = _flat(_all_on_host(inputs))
        given = [tensor.numel() for tensor in inputs]
        self._gloo.alltoall_base(made, here, sizes, given, dist.AllToAllOptions()).wait()
        _put(outputs, [part.view(output.shape) for part, output in zip(made.split(sizes), outputs)])
        return Finished(list(outputs))


def _make(options: Any, _: object) -> HostGroup:
    return HostGroup(options.store, options.group_rank, options.group_size, options.timeout)


def install() -> None:
    """In place of torch_npu's own, which needs the links between cards."""
    if dist.is_available() and dist.is_gloo_available():
        dist.Backend._plugins["HCCL"] = dist.Backend._BackendPlugin(_make, True)
