# SPDX-License-Identifier: Apache-2.0
"""Stand-ins for kernels: Python functions that run in stream order where the program launches a kernel."""

from __future__ import annotations

import struct
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from . import _native
from .stream import Stream

if TYPE_CHECKING:
    import numpy


class Launch:
    """One launch, as its stand-in sees it. Views of device memory are valid until the stand-in returns."""

    def __init__(self, blocks: int, args: bytes, context: int, name: str, device: int, stream: int) -> None:
        self.blocks = blocks
        self.args = args
        self.name = name
        self.device = device
        self.stream = stream
        self._context = context

    def unpack(self, format: str, offset: int = 0) -> tuple[Any, ...]:
        """The arguments as numbers, in the notation of ``struct``: "PQ" for a pointer and a count."""
        return struct.unpack_from(format, self.args, offset)

    def memory(self, address: int, nbytes: int) -> memoryview:
        """Writable bytes of device memory. AclError when they are not all in live device memory."""
        return _native.kernel_memory(self._context, address, nbytes)

    def array(self, address: int, shape: int | tuple[int, ...], dtype: Any = "uint8") -> numpy.ndarray:
        """A writable numpy array over device memory."""
        import numpy

        kind = numpy.dtype(dtype)
        sizes = (shape,) if isinstance(shape, int) else tuple(shape)
        count = 1
        for size in sizes:
            count *= size
        return numpy.frombuffer(self.memory(address, count * kind.itemsize), kind).reshape(sizes)


class Declaration:
    """One launch, as the function sees it that declares what the launch reads and writes. It runs before the
    launch is queued: only the arguments are known."""

    def __init__(self, blocks: int, args: bytes, context: int, name: str, device: int, ranges: int) -> None:
        self.blocks = blocks
        self.args = args
        self.name = name
        self.device = device
        self._context = context
        self._ranges = ranges

    def unpack(self, format: str, offset: int = 0) -> tuple[Any, ...]:
        """As Launch.unpack."""
        return struct.unpack_from(format, self.args, offset)

    def block_memory(self, address: int, nbytes: int) -> memoryview:
        """Bytes of the argument block, to which placeholders point."""
        return _native.kernel_memory(self._context, address, nbytes)

    def reads(self, address: int, nbytes: int) -> None:
        """The launch reads these bytes of device memory."""
        _native.kernel_range(self._ranges, address, nbytes, False)

    def writes(self, address: int, nbytes: int) -> None:
        """The launch writes these bytes of device memory, and may read them."""
        _native.kernel_range(self._ranges, address, nbytes, True)


StandIn = Callable[[Launch], "int | None"]


def kernel(name: str, declare: Callable[[Declaration], None] | None = None) -> Callable[[StandIn], StandIn]:
    """Decorates a function that stands in for the kernel ``name``. It is called once per launch, in stream
    order, and returns None or 0; another number, or an exception, makes the launch fail: the next
    synchronisation of the stream raises TaskFailedError with code 507015. An exception is also given to
    ``sys.unraisablehook``.

    >>> import ferry, struct
    >>> @ferry.kernel("add_one")
    ... def add_one(launch):
    ...     address, count = launch.unpack("PQ")
    ...     launch.array(address, count, "float32")[:] += 1
    >>> with ferry.Device(0), ferry.Stream() as stream, ferry.Buffer(8) as buffer:
    ...     buffer.fill(0)
    ...     ferry.launch_kernel("add_one", struct.pack("PQ", buffer.address, 2), stream=stream)
    ...     stream.synchronize()
    ...     buffer.numpy("float32").tolist()
    [1.0, 1.0]
    """

    def register(function: StandIn) -> StandIn:
        declaring = None if declare is None else lambda *given: declare(Declaration(*given))
        _native.register_kernel(name, lambda *given: function(Launch(*given)), declaring)
        return function

    return register


def unregister_kernel(name: str) -> None:
    """Removes a stand-in. Launches that are queued already still run it."""
    _native.unregister_kernel(name)


def launch_kernel(name: str, args: bytes, stream: Stream, blocks: int = 1) -> None:
    """Queues a launch of the kernel ``name`` with an argument block, as a program in C would do it."""
    _native.launch_kernel(name, blocks, bytes(args), stream.handle)


@dataclass(frozen=True)
class KernelUse:
    """What became of the launches of a kernel."""

    name: str
    is_registered: bool
    launches: int
    failures: int
    skipped: int


def kernel_uses() -> list[KernelUse]:
    """The kernels that are registered or were launched."""
    return [KernelUse(*use) for use in _native.kernel_uses()]
