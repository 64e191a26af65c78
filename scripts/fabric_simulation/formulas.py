# SPDX-License-Identifier: Apache-2.0
"""Closed forms of what the simulation does, where there are any. docs/fabric.md shows them."""

from __future__ import annotations

from .costs import Costs


def start_up(costs: Costs, hosts: int, rotated: bool) -> float:
    """Rotated, nobody waits for anybody. In the same order each importer falls behind the one before it by
    one exporter's part, once, and stays so."""
    half = hosts // 2
    alone = half * (costs.connect_own + costs.connect_other)
    return alone if rotated else alone + (half - 1) * costs.connect_other


def copy(costs: Costs, chunks: int) -> float:
    """One copy alone with a window that is never full: the first chunk passes all stages, the others follow
    at the pace of the slowest one."""
    first = 2 * costs.message + 2 * costs.chunk_time + 2 * costs.latency
    return first + (chunks - 1) * max(costs.message / costs.threads, costs.chunk_time)


def incast(costs: Costs, hosts: int, size: int) -> float:
    """The receiver's link is never idle after the first chunk has reached it."""
    chunks = (hosts - 1) * (size // costs.chunk)
    return copy(costs, chunks)


def incast_in_flight(costs: Costs, hosts: int, size: int) -> float:
    """Bytes that the network, or the receiver's buffers, must hold: every window is full."""
    return (hosts - 1) * min(size, costs.window * costs.chunk)


def mean_wait(costs: Costs, load: float) -> float:
    """Of an M/D/1 queue (Pollaczek and Khinchine); one progress thread."""
    return load / (2 * (1 - load)) * costs.message


def connections(hosts: int) -> int:
    """Of one host, when each decode host imports from each prefill host."""
    return hosts // 2


def messages_per_second(costs: Costs) -> float:
    """That one host can take."""
    return costs.threads / costs.message
