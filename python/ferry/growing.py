# SPDX-License-Identifier: Apache-2.0
"""GrowingBuffer: device memory that becomes larger and smaller, and keeps its address."""

from __future__ import annotations

import threading

from . import _native
from .buffer import BufferView, OwnedMemory
from .context import Device


class GrowingBuffer(OwnedMemory):
    """Addresses for `capacity` bytes on a device (the calling thread's if None), without memory at first.
    grow() takes memory for more of them, shrink() gives it back. The address never changes, so that slices
    and pointers stay valid, and contents stay where they are.

    >>> import ferry
    >>> with ferry.Device(0), ferry.GrowingBuffer(1 << 30) as buffer:
    ...     first = buffer.grow(4)
    ...     ferry.copy(first, b"abcd")
    ...     ferry.copy(buffer.grow(3), b"efg")
    ...     buffer.shrink(1)
    ...     len(buffer), buffer.tobytes()
    (6, b'abcdef')

    It can be used in copies like a Buffer. Memory is taken and given back in pieces of ``piece_nbytes``. New
    memory is not initialised.
    """

    def __init__(self, capacity: int, device: int | Device | None = None) -> None:
        if capacity <= 0:
            raise ValueError(f"capacity is {capacity}, allowed is 1 and more")
        if device is None:
            device = Device.current()
        id = device.id if isinstance(device, Device) else device
        _native.Region.__init__(self, capacity=capacity, device=id)
        self._capacity = capacity
        # Guards the size: growing takes several calls, during which other threads run.
        self._resizing = threading.Lock()

    @property
    def capacity(self) -> int:
        """The most bytes it can have."""
        return self._capacity

    @property
    def piece_nbytes(self) -> int:
        """Memory is taken in multiples of this: 2 MiB, and more if `capacity` is over 2 GiB."""
        return self._piece_nbytes

    def grow(self, nbytes: int) -> BufferView:
        """Adds bytes at the end, and returns them as a slice. If the device has not enough memory, nothing
        changes and OutOfMemoryError is raised."""
        with self._resizing:
            before = self.nbytes
            if not 0 <= nbytes <= self._capacity - before:
                raise ValueError(
                    f"nbytes is {nbytes}, allowed is 0 to {self._capacity - before}: "
                    f"{before} of {self._capacity} bytes are in use"
                )
            self._resize(before + nbytes)
            return BufferView(self, before, nbytes)

    def shrink(self, nbytes: int) -> None:
        """Removes bytes at the end. Memory that a copy in flight may use goes back to the device when the
        copy is complete. Slices of removed bytes must not be used."""
        with self._resizing:
            if not 0 <= nbytes <= self.nbytes:
                raise ValueError(f"nbytes is {nbytes}, allowed is 0 to {self.nbytes}")
            self._resize(self.nbytes - nbytes)
