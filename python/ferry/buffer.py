# SPDX-License-Identifier: Apache-2.0
"""Buffer: device memory with an owner, also of other processes. Pinned memory for asynchronous copies."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import prod
from operator import index
from types import TracebackType
from typing import TYPE_CHECKING, Any, TypeVar

import acl

from . import _native, _shared
from .constants import ErrorCode, MallocPolicy, MemLocation
from .errors import NotSupportedError, check

if TYPE_CHECKING:
    from numpy.typing import DTypeLike, NDArray

_DLPACK_NPU = 12

_Self = TypeVar("_Self", bound="OwnedMemory")


class DeviceMemory(_native.Region):
    """Common to Buffers and their slices: a range of device memory, which the host cannot access."""

    def __len__(self) -> int:
        return self.nbytes

    def __getitem__(self, part: slice) -> BufferView:
        """A slice, in bytes. It shares the memory and is closed together with the Buffer."""
        if not isinstance(part, slice):
            raise TypeError("a Buffer takes slices only: its bytes cannot be read on the host")
        start, stop, step = part.indices(self.nbytes)
        if step != 1:
            raise ValueError("a slice of a Buffer has no step")
        return BufferView(self, start, max(0, stop - start))

    def fill(self, value: int = 0) -> None:
        """Sets every byte to `value`.

        >>> import ferry
        >>> with ferry.Device(0), ferry.Buffer(3) as buffer:
        ...     buffer.fill(7)
        ...     buffer.tobytes()
        b'\\x07\\x07\\x07'
        """
        if not 0 <= value <= 255:
            raise ValueError(f"value is {value}, allowed is 0 to 255")
        _native.fill(self, value)

    def tobytes(self) -> bytes:
        """A copy of the contents."""
        data = bytearray(self.nbytes)
        _native.copy(data, self)
        return bytes(data)

    def numpy(self, dtype: DTypeLike = "uint8", shape: int | tuple[int, ...] = -1) -> NDArray[Any]:
        """A copy of the contents as a numpy array.

        >>> import ferry
        >>> with ferry.Device(0), ferry.Buffer(8) as buffer:
        ...     buffer.fill(1)
        ...     int(buffer.numpy("int32").sum()) == 2 * 0x01010101
        True
        """
        np = import_numpy()
        array = np.empty(self.nbytes, np.uint8)
        _native.copy(array, self)
        typed: NDArray[Any] = array.view(dtype).reshape(shape)
        return typed

    def share(self, processes: Iterable[int] | None = None) -> bytes:
        """Bytes with which other processes can use this memory: send them over a pipe, a socket or a file,
        and pass them to open_shared. `processes` are the numbers of those that may open it; None allows every
        process of this user. The bytes are worthless once the memory is freed; a process that has opened it
        before then keeps it.

        >>> import ferry
        >>> with ferry.Device(0), ferry.Buffer.from_host(b"abcd") as buffer:
        ...     with ferry.open_shared(buffer.share()) as same_memory:
        ...         same_memory[0:2].fill(ord("x"))
        ...     buffer.tobytes()
        b'xxcd'

        A slice can be shared too if it starts at a page of the device. A GrowingBuffer cannot.
        """
        if self._piece_nbytes != 0:
            raise NotSupportedError(
                ErrorCode.RT_FEATURE_NOT_SUPPORT,
                "share",
                "a GrowingBuffer cannot be shared, because it could not shrink; copy it into a Buffer",
            )
        return _shared.export(self.address, self.nbytes, processes)

    def __dlpack_device__(self) -> tuple[int, int]:
        return (_DLPACK_NPU, self.device_id)

    def __dlpack__(
        self,
        *,
        stream: Any = None,
        max_version: tuple[int, int] | None = None,
        dl_device: tuple[int, int] | None = None,
        copy: bool | None = None,
    ) -> object:
        """The memory as a tensor of unsigned 8-bit integers on an NPU (DLPack's device type 12)."""
        if dl_device is not None and dl_device != self.__dlpack_device__():
            raise BufferError("device memory stays on its device: copy it with ferry.copy")
        if copy:
            raise BufferError("a tensor of this memory is never a copy")
        return self._dlpack(max_version is not None and max_version[0] >= 1)

    def __repr__(self) -> str:
        state = "closed" if self.closed else f"at {self.address:#x} on device {self.device_id}"
        return f"<ferry.{type(self).__name__} of {self.nbytes} bytes {state}>"


class BufferView(DeviceMemory):
    """A slice of a Buffer."""


class OwnedMemory(DeviceMemory):
    """Common to Buffer and GrowingBuffer: memory that is freed at the end of a ``with`` block."""

    def close(self) -> None:
        """Makes it and its slices unusable, and frees the memory. Closing twice is allowed."""
        self._close()

    def __enter__(self: _Self) -> _Self:
        _ = self.address
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()


class Buffer(OwnedMemory):
    """Memory on the calling thread's device, freed at the end of its ``with`` block or with the object.

    >>> import ferry
    >>> with ferry.Device(0), ferry.Buffer(4) as buffer:
    ...     ferry.copy(buffer, b"abcd")
    ...     ferry.copy(buffer[1:3], b"XY")
    ...     buffer.tobytes()
    b'aXYd'

    Closing while a copy is in flight is safe: the memory is freed when the copy is complete.
    """

    def __init__(self, nbytes: int, policy: MallocPolicy = MallocPolicy.HUGE_FIRST) -> None:
        if nbytes <= 0:
            raise ValueError(f"nbytes is {nbytes}, allowed is 1 and more")
        super().__init__(nbytes, int(policy))

    @classmethod
    def from_host(cls, data: object) -> Buffer:
        """A Buffer with a copy of a host object's bytes.

        >>> import ferry
        >>> with ferry.Device(0), ferry.Buffer.from_host(b"abc") as buffer:
        ...     buffer.tobytes()
        b'abc'
        """
        buffer = cls(_native.nbytes(data))
        try:
            _native.copy(buffer, data)
        except BaseException:
            buffer.close()
            raise
        return buffer

    @classmethod
    def from_address(cls, address: int, nbytes: int, owner: object = None) -> Buffer:
        """A Buffer over memory that has another owner, such as an address from ``acl.rt.malloc`` or a tensor
        of another library. It keeps `owner` alive and never frees the memory."""
        attributes, code = acl.rt.pointer_get_attributes(address)
        check(code, "aclrtPointerGetAttributes")
        location = attributes["location"]
        if location["type"] != MemLocation.DEVICE:
            raise ValueError(
                f"{address:#x} is not in device memory; host memory is given as the object that owns it"
            )
        if nbytes < 0:
            raise ValueError(f"nbytes is {nbytes}, allowed is 0 and more")
        buffer = cls.__new__(cls)
        _native.Region.__init__(buffer, address, nbytes, int(location["id"]), owner)
        return buffer


def open_shared(data: bytes | bytearray | memoryview) -> Buffer:
    """Memory of another process, or of this one, as a Buffer on the calling thread's device. `data` is what
    share() returned there. Both processes use the same bytes: what one has written, after a copy is complete,
    the other reads. Closing the Buffer closes the import, and frees nothing while others use the memory."""
    key, nbytes = _shared.parse(data)
    buffer = Buffer.__new__(Buffer)
    _native.Region.__init__(buffer, key=key, nbytes=nbytes)
    return buffer


def import_numpy() -> Any:
    """Imports numpy, which is optional."""
    try:
        import numpy
    except ImportError as error:
        raise ImportError(
            "this needs numpy, which is not installed; ferry.pinned_bytes does without it"
        ) from error
    return numpy


def pinned_bytes(nbytes: int) -> memoryview:
    """Pinned host memory of the current context, as writable bytes; freed with the last reference to it.

    >>> import ferry
    >>> with ferry.Device(0):
    ...     data = ferry.pinned_bytes(4)
    ...     data[:] = b"abcd"
    ...     bytes(data[1:3])
    b'bc'
    """
    return memoryview(_native.PinnedMemory(nbytes)) if nbytes != 0 else memoryview(bytearray())


def pinned_empty(shape: int | Sequence[int], dtype: DTypeLike = "float64") -> NDArray[Any]:
    """A numpy array in pinned host memory, without which copies are not asynchronous. The contents are not
    initialised. The memory is freed when neither the array, nor a view of it, nor a copy in flight uses it.

    >>> import ferry
    >>> with ferry.Device(0):
    ...     array = ferry.pinned_empty((2, 3), "float32")
    ...     array.shape, array.nbytes
    ((2, 3), 24)
    """
    np = import_numpy()
    kind = np.dtype(dtype)
    if kind.hasobject:
        raise TypeError("an array of Python objects cannot be in pinned memory")
    extents = [index(extent) for extent in (shape if isinstance(shape, Iterable) else (shape,))]
    if any(extent < 0 for extent in extents):
        raise ValueError("an extent of shape is negative")
    nbytes = prod(extents) * kind.itemsize
    array: NDArray[Any]
    if nbytes == 0:
        array = np.empty(extents, kind)
    else:
        array = np.frombuffer(_native.PinnedMemory(nbytes), kind).reshape(extents)
    return array
