# SPDX-License-Identifier: Apache-2.0
"""Copies. Each side is a Buffer, a slice of one, or a host object: numpy arrays, bytes (as a source),
bytearray, memoryview, array.array, ctypes arrays, mmap, and tensors that support DLPack. Both sides must
have the same size in bytes.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, Protocol, Union

from . import _native
from .stream import Stream, Transfer

if TYPE_CHECKING:
    from typing_extensions import Buffer as HostBuffer
    from typing_extensions import TypeAlias


class SupportsDLPack(Protocol):
    """A tensor of another library."""

    def __dlpack__(self) -> object: ...


class SupportsArrayInterface(Protocol):
    """A numpy-like array whose dtype the buffer protocol cannot express."""

    @property
    def __array_interface__(self) -> dict[str, Any]: ...


if TYPE_CHECKING:
    Side: TypeAlias = Union[_native.Region, HostBuffer, SupportsDLPack, SupportsArrayInterface]


def copy(dst: Side, src: Side) -> None:
    """Copies, and returns when the bytes have arrived. Does not wait for work queued on streams.

    >>> import ferry
    >>> data = bytearray(4)
    >>> with ferry.Device(0), ferry.Buffer(4) as buffer:
    ...     ferry.copy(buffer, b"abcd")
    ...     ferry.copy(data, buffer)
    >>> data
    bytearray(b'abcd')

    A read-only target is refused:

    >>> with ferry.Device(0), ferry.Buffer(4) as buffer:
    ...     ferry.copy(bytes(4), buffer)
    Traceback (most recent call last):
    TypeError: dst is a read-only bytes; a copy needs a target that can be written
    """
    _native.copy(dst, src)


def copy_async(dst: Side, src: Side, stream: Stream | None = None) -> Transfer:
    """Queues a copy on a stream (the default stream if None). Both sides stay alive until it is complete.

    The copy is asynchronous for pinned memory (pinned_empty) and between devices. With other host memory the
    call waits for the stream and copies before it returns. Host-to-host copies cannot be asynchronous
    (NotSupportedError).

    >>> import ferry
    >>> with ferry.Device(0), ferry.Stream() as stream, ferry.Buffer(16) as buffer:
    ...     array = ferry.pinned_empty(4, "int32")
    ...     array[:] = [1, 2, 3, 4]
    ...     there = ferry.copy_async(buffer, array, stream=stream)
    ...     back = ferry.pinned_empty(4, "int32")
    ...     ferry.copy_async(back, buffer, stream=stream).wait()
    ...     back.tolist()
    [1, 2, 3, 4]
    """
    if stream is None:
        stream = Stream.default()
    return stream._submit(lambda pins, handle, event: _native.copy_async(pins, dst, src, handle, event))


def copy_batch(pairs: Iterable[Sequence[Side]]) -> None:
    """Copies many ``(dst, src)`` pairs, all from host to device or all from device to host, and returns when
    all bytes have arrived. The order of the copies is undefined. On products without batch copies the pairs
    are copied one by one. More than 4096 pairs are copied in groups of 4096; each group is validated before
    it is copied.

    >>> import ferry
    >>> with ferry.Device(0), ferry.Buffer(6) as buffer:
    ...     ferry.copy_batch([(buffer[0:2], b"ab"), (buffer[4:6], b"ef"), (buffer[2:4], b"cd")])
    ...     buffer.tobytes()
    b'abcdef'
    """
    _native.copy_batch(pairs)


def copy_batch_async(pairs: Iterable[Sequence[Side]], stream: Stream | None = None) -> Transfer:
    """Queues many ``(dst, src)`` pairs as one task of a stream. Otherwise like copy_batch, with any
    number of pairs.

    >>> import ferry
    >>> with ferry.Device(0), ferry.Stream() as stream, ferry.Buffer(4) as buffer:
    ...     ferry.copy_batch_async([(buffer[0:2], b"ab"), (buffer[2:4], b"cd")], stream=stream).wait()
    ...     buffer.tobytes()
    b'abcd'
    """
    if stream is None:
        stream = Stream.default()
    return stream._submit(lambda pins, handle, event: _native.copy_batch_async(pins, pairs, handle, event))
