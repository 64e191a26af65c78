# SPDX-License-Identifier: Apache-2.0
"""Information about the library and counters of this package."""

from __future__ import annotations

from dataclasses import dataclass

import acl

from . import _native
from ._functions import FUNCTIONS
from .context import Device
from .stream import in_flight


@dataclass(frozen=True)
class DeviceStats:
    """One device: its kind ("cpu" ...) and its memory in bytes."""

    id: int
    kind: str
    total: int
    free: int

    @property
    def used(self) -> int:
        return self.total - self.free


@dataclass(frozen=True)
class Stats:
    """The result of stats().

    version, library: version and file of the loaded library. soc: the emulated product. schedule: when queued
    work runs, with the seed of "shuffle". calls: calls of each C function since count_calls(); None if that
    was never called. fabric: what went to and came from other hosts, with the names of ferryFabricCounts in
    lower case; None without FERRY_FABRIC. The other fields count what this package did: copies and bytes;
    batches, their items, and batches that had to be copied one by one; live buffers and live pinned bytes;
    transfers not known to be complete.
    """

    version: str
    library: str
    soc: str
    schedule: str
    seed: int
    devices: tuple[DeviceStats, ...]
    calls: dict[str, int] | None
    copies: int
    batches: int
    batch_items: int
    batch_fallbacks: int
    bytes_copied: int
    buffers: int
    buffer_bytes: int
    pinned_bytes: int
    in_flight: int
    fabric: dict[str, int] | None


def count_calls() -> None:
    """Resets the call counts of all C functions to 0 and starts counting. Each call costs a little more from
    then on."""
    _native.reset_call_counts()


def _calls() -> dict[str, int] | None:
    counts = {name: _native.call_count(name) for name in FUNCTIONS}
    if all(count is None for count in counts.values()):
        return None
    return {name: count for name, count in counts.items() if count}


def _device(id: int) -> DeviceStats:
    kind, _ = _native.device(id)
    free, total = Device(id).memory()
    return DeviceStats(id, kind, total, free)


def stats() -> Stats:
    """The current state.

    >>> import ferry
    >>> ferry.count_calls()
    >>> with ferry.Device(0), ferry.Buffer(64) as buffer:
    ...     buffer.fill(0)
    ...     now = ferry.stats()
    >>> now.calls["aclrtMalloc"], now.calls["aclrtMemset"], now.devices[0].used >= 64
    (1, 1, True)
    """
    calls = _calls()  # first: the other queries make calls
    schedule, seed = _native.schedule()
    own = _native.own_counts()
    return Stats(
        version=_native.version(),
        library=_native.library_path(),
        soc=acl.get_soc_name() or "",
        schedule=schedule,
        seed=seed,
        devices=tuple(_device(id) for id in range(Device.count())),
        calls=calls,
        copies=own["copies"],
        batches=own["batches"],
        batch_items=own["batch_items"],
        batch_fallbacks=own["batch_fallbacks"],
        bytes_copied=own["bytes"],
        buffers=own["buffers"],
        buffer_bytes=own["device_bytes"],
        pinned_bytes=own["pinned_bytes"],
        in_flight=in_flight(),
        fabric=_native.fabric_counts(),
    )
