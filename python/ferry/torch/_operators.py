# SPDX-License-Identifier: Apache-2.0
"""Calls of operators: shapes of results come from meta tensors, memory from torch_npu's allocator, and the
rest is left to the stream."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Any

import torch
import torch_npu

from ._task import Argument, Fresh, Operand, Task, lazy, replace, tensors_of
from ._work import submit

# Operators that take tensors of the host beside those of the device.
_HOST_TENSORS = ("index", "_index_put_impl_", "index_put", "index_put_", "_unsafe_index", "_unsafe_index_put")

# Their meta operators know other shapes than the CPU's: of results that nobody uses in some cases.
_SHAPES_DIFFER = (
    "_embedding_bag",
    "_embedding_bag_forward_only",
    "_native_batch_norm_legit",
    "_native_batch_norm_legit_no_training",
    "native_batch_norm",
)

# A number in Python becomes a tensor that other tensors of its kind win over in type promotion. Nothing but
# such a promotion tells it from a tensor of the program, which the program may change after the call.
_PROBES = {
    torch.float64: torch.empty((), dtype=torch.float32),
    torch.int64: torch.empty((), dtype=torch.int32),
    torch.complex128: torch.empty((), dtype=torch.complex64),
}


def _is_number(tensor: torch.Tensor) -> bool:
    probe = _PROBES.get(tensor.dtype)
    return probe is not None and torch.result_type(tensor, probe) != tensor.dtype


def is_on_device(value: Any) -> bool:
    return isinstance(value, torch.Tensor) and value.device.type == "npu"


class OnDevice:
    """The device of a call, made current, and the handle of its current stream."""

    def __init__(self, index: int) -> None:
        self.index = index

    def __enter__(self) -> OnDevice:
        self._before = torch.npu.current_device()
        if self._before != self.index:
            torch.npu.set_device(self.index)
        self.stream = torch.npu.current_stream(self.index)
        # Asking for the handle also hands over what torch_npu has still to submit to the stream.
        self.handle = self.stream.npu_stream
        return self

    def __exit__(self, *_: object) -> None:
        if self._before != self.index:
            torch.npu.set_device(self._before)


class Call:
    """Translates the arguments of one call for the task and for the meta operator."""

    def __init__(self, task: Task) -> None:
        self.task = task
        self._places: dict[int, int] = {}
        self.originals: dict[int, torch.Tensor] = {}
        self.metas: list[torch.Tensor] = []

    def operand(self, tensor: torch.Tensor) -> Operand:
        storage = tensor.untyped_storage()
        address = storage.data_ptr()
        place = self._places.get(address)
        if place is None:
            place = self._places[address] = len(self.task.storages)
            self.task.storages.append((address, storage.nbytes()))
        return Operand(
            place,
            tensor.storage_offset(),
            tuple(tensor.size()),
            tensor.stride(),
            tensor.dtype,
            tensor.is_conj(),
            tensor.is_neg(),
        )

    def meta(self, value: Any) -> Any:
        if not is_on_device(value):
            return value
        meta = torch.empty_strided(value.size(), value.stride(), dtype=value.dtype, device="meta")
        meta = lazy(meta, value.is_conj(), value.is_neg())
        self.metas.append(meta)  # keeps its id
        self.originals[id(meta)] = value
        return meta

    def argument(self, value: Any, writes: bool) -> Any:
        if isinstance(value, torch.device):
            return torch.device("cpu")
        if isinstance(value, torch.Generator):
            return None
        if not isinstance(value, torch.Tensor):
            return value
        if value.device.type == "npu":
            operand = self.operand(value)
            (self.task.writes if writes else self.task.reads).append(operand)
            return operand
        return value if _is_number(value) else value.detach().clone()


class Operator:
    """One operator, registered for the device.

    function: computes it on tensors of the host, in place of the CPU's operator. shapes: the same on meta
    tensors. writes: arguments that it changes although its schema does not say so. may_mix: whether arguments
    may be on the host."""

    def __init__(
        self,
        overload: torch._ops.OpOverload,
        *,
        function: Callable[..., Any] | None = None,
        shapes: Callable[..., Any] | None = None,
        writes: Collection[str] = (),
        may_mix: bool = False,
    ) -> None:
        schema = overload._schema
        self.overload = overload
        self._function = function or overload
        self._shapes_of = shapes or overload
        self.name = str(overload._name)
        self._written = {
            i
            for i, a in enumerate(schema.arguments)
            if a.name in writes or (a.alias_info is not None and a.alias_info.is_write)
        }
        self._places = {a.name: i for i, a in enumerate(schema.arguments)}
        self._outs = {i for i, a in enumerate(schema.arguments) if a.is_out}
        self._may_mix = may_mix or schema.name.partition("::")[2] in _HOST_TENSORS
        self._seeded = torch.Tag.nondeterministic_seeded in overload.tags
        self._has_generator = "generator" in self._places
        self._decides = (
            schema.name.partition("::")[2] in _SHAPES_DIFFER
            or torch.Tag.data_dependent_output in overload.tags
            or torch.Tag.dynamic_output_shape in overload.tags
            or any(
                not isinstance(r.type, (torch.TensorType, torch.ListType, torch.OptionalType))
                for r in schema.returns
            )
        )

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        index = self._device(args, kwargs)
        with OnDevice(index) as device:
            if not self._decides:
                results = self._shapes(args, kwargs)
                if results is not None:
                    return self._later(results, args, kwargs, device)
            return self._now(args, kwargs, device)

    def _device(self, args: Any, kwargs: Any) -> int:
        found: int | None = None
        values = tensors_of(args, kwargs)
        for value in values:
            if is_on_device(value) and value.dim() > 0:
                found = value.device.index if found is None else found
                if value.device.index != found:
                    raise self._mixture(f"npu:{found}", value.device)
        for value in values:
            if isinstance(value, torch.Tensor) and value.device.type != "npu" and value.dim() > 0:
                if value.device.type != "cpu" or not self._may_mix:
                    raise self._mixture("npu", value.device)
            elif found is None and is_on_device(value):
                found = value.device.index
        if found is None:
            for value in values:
                if isinstance(value, torch.device) and value.type == "npu":
                    found = value.index
        return torch.npu.current_device() if found is None else int(found)

    def _mixture(self, one: object, other: object) -> RuntimeError:
        return RuntimeError(
            "Expected all tensors to be on the same device, but found at least two devices, "
            f"{one} and {other}! (operator {self.name})"
        )

    def _writes(self, key: int | str) -> bool:
        return (self._places.get(key) if isinstance(key, str) else key) in self._written

    def _is_out(self, key: int | str) -> bool:
        return (self._places.get(key) if isinstance(key, str) else key) in self._outs

    def _shapes(self, args: Any, kwargs: Any) -> tuple[Any, dict[int, torch.Tensor]] | None:
        """The results as meta tensors, and which argument each meta tensor is. None when it is not known
        before the operator runs, or when its arguments are wrong: the operator itself says so best."""
        call = Call(Task(self._function))

        def meta(value: Any) -> Any:
            if isinstance(value, torch.device):
                return torch.device("meta")
            if isinstance(value, torch.Generator):
                return None
            if (
                self._may_mix
                and isinstance(value, torch.Tensor)
                and value.device.type == "cpu"
                and value.dim() > 0
            ):
                return value.to("meta")
            return call.meta(value)

        metas = [replace(value, meta) for value in args]
        named = {name: replace(value, meta) for name, value in kwargs.items()}
        try:
            results = self._shapes_of(*metas, **named)
        except Exception:
            return None
        for made in call.metas:
            original = call.originals[id(made)]
            if made.shape != original.shape:  # an out= argument of another size
                original.resize_(made.shape).as_strided_(made.shape, made.stride())
        return results, call.originals

    def _translate(self, task: Task, args: Any, kwargs: Any, *, fresh: bool) -> Call:
        call = Call(task)

        def of(key: int | str, value: Any) -> Any:
            if fresh and self._is_out(key):
                return replace(value, lambda item: Fresh(item.dtype) if is_on_device(item) else item)
            writes = self._writes(key)
            return replace(value, lambda item: call.argument(item, writes))

        task.args = [of(i, value) for i, value in enumerate(args)]
        task.kwargs = {name: of(name, value) for name, value in kwargs.items()}
        return call

    def _seed(self, task: Task, args: Any, kwargs: Any, index: int) -> None:
        """Takes a place in the sequence of the generator, so that its state can be saved and set."""
        if not self._seeded:
            return
        given = [value for value in tensors_of(args, kwargs) if isinstance(value, torch.Generator)]
        generator = given[0] if given else torch.npu.default_generators[index]
        if generator.device.type == "cpu":
            task.seed = int(torch.randint(2**62, (), generator=generator))
        else:
            offset = generator.get_offset()
            generator.set_offset(offset + 4)
            task.seed = (generator.initial_seed() * 0x9E3779B97F4A7C15 + offset) % 2**63
        task.seeds_argument = self._has_generator
        if self._has_generator and (place := self._places["generator"]) < len(task.args):
            task.kwargs.update(
                (a.name, v) for a, v in zip(self.overload._schema.arguments[place:], task.args[place:])
            )
            del task.args[place:]

    def _later(self, shapes: Any, args: Any, kwargs: Any, device: OnDevice) -> Any:
        results, originals = shapes
        task = Task(self._function, results=[])
        call = self._translate(task, args, kwargs, fresh=False)
        self._seed(task, args, kwargs, device.index)

        def allocate(result: Any) -> Any:
            place = None
            if isinstance(result, torch.Tensor):
                original = originals.get(id(result))
                if original is not None:
                    result = original
                else:
                    result = torch.empty_strided(
                        result.size(), result.stride(), dtype=result.dtype, device=f"npu:{device.index}"
                    )
                    place = call.operand(result)
                    task.writes.append(place)
            assert task.results is not None
            task.results.append(place)
            return result

        made = replace(results, allocate)
        submit(task, self.name, device.handle)
        return made

    def _now(self, args: Any, kwargs: Any, device: OnDevice) -> Any:
        task = Task(self._function)
        self._translate(task, args, kwargs, fresh=True)
        self._seed(task, args, kwargs, device.index)
        submit(task, self.name, device.handle)
        device.stream.synchronize()
        if task.error is not None:
            raise task.error
        given = tensors_of(args, kwargs)
        outs = [
            item
            for key, value in [*enumerate(args), *kwargs.items()]
            if self._is_out(key)
            for item in tensors_of([value], {})
        ]
        for out, value in zip(outs, task.outs):
            write(out.resize_(value.shape), value, device)

        def publish(result: Any) -> Any:
            if isinstance(result, Argument):
                return given[result.place]
            if not isinstance(result, torch.Tensor):
                return result
            if result.layout != torch.strided or result.is_quantized:
                raise NotImplementedError(f"{self.name}: Ferry has no {result.layout} tensors on the device")
            made = torch.empty_strided(
                result.size(), result.stride(), dtype=result.dtype, device=f"npu:{device.index}"
            )
            write(made, result, device)
            return made

        return replace(task.kept, publish)


def write(tensor: torch.Tensor, value: torch.Tensor, device: OnDevice) -> None:
    """Queues that the tensor gets the value, which nobody else changes."""
    task = Task(torch.ops.aten.copy_.default, results=[None])
    operand = Call(task).operand(tensor)
    task.writes.append(operand)
    task.args = [operand, value]
    submit(task, "aten::copy_", device.handle)


class View:
    """An operator whose result is a view: the meta operator knows its geometry."""

    def __init__(self, overload: torch._ops.OpOverload) -> None:
        self.overload = overload

    def __call__(self, tensor: torch.Tensor, *args: Any, **kwargs: Any) -> torch.Tensor:
        storage = tensor.untyped_storage()
        whole = torch.empty(storage.nbytes() // tensor.dtype.itemsize, dtype=tensor.dtype, device="meta")
        meta = torch.as_strided(whole, tensor.size(), tensor.stride(), tensor.storage_offset())
        view = self.overload(meta, *args, **kwargs)
        made = torch.empty(0, dtype=view.dtype, device=tensor.device)
        return made.set_(storage, view.storage_offset(), view.size(), view.stride())


assert torch_npu is not None  # imported for its effect
