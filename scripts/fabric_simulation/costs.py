# SPDX-License-Identifier: Apache-2.0
"""What one host and one connection cost. Everything else follows from these numbers."""

from __future__ import annotations

import dataclasses
import json
import pathlib

MIB = 1 << 20


@dataclasses.dataclass(frozen=True)
class Costs:
    """Seconds and bytes."""

    bandwidth: float  # bytes per second into, and out of, one host
    message: float  # a progress thread's time for one message, sent or received
    latency: float  # from the end of sending to the beginning of receiving
    connect_own: float  # the importer's part of a connection
    connect_other: float  # the exporter's part, on its progress thread
    connection_bytes: float  # memory of a connection, on each side
    key_bytes: float  # a remote key
    chunk: int = 256 << 10  # bytes of one message of packed blocks
    window: int = 8  # messages in flight per connection
    threads: int = 1  # progress threads per host

    @property
    def chunk_time(self) -> float:
        """A link's time for one chunk."""
        return self.chunk / self.bandwidth


def from_bench(path: pathlib.Path) -> Costs:
    """The costs that `ferry bench fabric --json FILE` measured: Ferry's own numbers where it has them, else
    those of the raw loops."""
    rows = {row["what"]: row for row in json.loads(path.read_text())["rows"] if row["question"] == "fabric"}

    def value(what: str) -> float:
        if what not in rows:
            raise SystemExit(
                f'{path}: no row "{what}": is it the output of ferry bench fabric, without --quick?'
            )
        row = rows[what]
        number = row["measured"] if row["measured"] is not None else row["baseline"]
        if number is None or number < 0:
            raise SystemExit(f'{path}: "{what}" has no number')
        return float(number)

    message = value("a 64-byte put among many, CPU") * 1e-6
    turn = value("notify, ping-pong") * 1e-6
    connection = value("a connection") * 1e-6
    return Costs(
        bandwidth=min(value("64M, out"), value("64M, in")) * 1e9,
        message=message,
        # A turn is two messages; each is handled once on either side.
        latency=max(0.0, turn / 2 - 2 * message),
        # How the work of a connection is shared is not measured: half and half.
        connect_own=connection / 2,
        connect_other=connection / 2,
        connection_bytes=value("memory of a connection") * 1024,
        key_bytes=value("a remote key"),
    )
