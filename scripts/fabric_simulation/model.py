# SPDX-License-Identifier: Apache-2.0
"""Hosts, connections and messages as discrete events.

A host has one link out, one link in, and progress threads. A chunk of a copy passes, in this order: a
progress thread of the sender, its link out, the network, the receiver's link in, a progress thread of the
receiver; then the acknowledgement travels back. A connection has a window of chunks in flight. Links and
threads serve in order of arrival. The network between the hosts is not a bottleneck.
"""

from __future__ import annotations

import random
from collections.abc import Generator, Iterable
from typing import Any

import simpy

from .costs import Costs

Process = Generator[simpy.Event, Any, None]


class Host:
    """The things of a host that work queues up for."""

    def __init__(self, environment: simpy.Environment, costs: Costs) -> None:
        self.out = simpy.Resource(environment)
        self.into = simpy.Resource(environment)
        self.progress = simpy.Resource(environment, costs.threads)


class Fabric:
    """Some hosts, and what they do. One object per experiment."""

    def __init__(self, costs: Costs, hosts: int) -> None:
        self.costs = costs
        self.environment = simpy.Environment()
        self.hosts = [Host(self.environment, costs) for _ in range(hosts)]
        self.in_flight = 0  # bytes that were sent and not taken by the receiver's link yet
        self.most_in_flight = 0

    def run(self, processes: Iterable[Process]) -> float:
        """Runs them together; the time at which the last one ends."""
        events = [self.environment.process(process) for process in processes]
        self.environment.run(until=self.environment.all_of(events))
        return float(self.environment.now)

    def serve(self, resource: simpy.Resource, seconds: float) -> Process:
        with resource.request() as turn:
            yield turn
            yield self.environment.timeout(seconds)

    def message(self, source: Host, target: Host, size: int) -> Process:
        """One message, until the receiver has handled it."""
        link = size / self.costs.bandwidth
        yield from self.serve(source.progress, self.costs.message)
        yield from self.serve(source.out, link)
        self.in_flight += size
        self.most_in_flight = max(self.most_in_flight, self.in_flight)
        yield self.environment.timeout(self.costs.latency)
        yield from self.serve(target.into, link)
        self.in_flight -= size
        yield from self.serve(target.progress, self.costs.message)

    def copy(self, source: Host, target: Host, size: int) -> Process:
        """A copy in chunks, until the sender knows that all bytes have arrived."""
        window = simpy.Resource(self.environment, self.costs.window)

        def chunk(turn: simpy.resources.resource.Request, bytes_: int) -> Process:
            yield from self.message(source, target, bytes_)
            yield self.environment.timeout(self.costs.latency)  # the acknowledgement
            window.release(turn)

        chunks = []
        for start in range(0, size, self.costs.chunk):
            turn = window.request()
            yield turn
            chunks.append(self.environment.process(chunk(turn, min(self.costs.chunk, size - start))))
        yield self.environment.all_of(chunks)

    def pull_all(self, sources: list[Host], target: Host, size: int, at_once: int) -> Process:
        """The target asks for the copies itself, so many at a time. Asking takes a message each."""
        places = simpy.Resource(self.environment, at_once)

        def pull(source: Host) -> Process:
            with places.request() as place:
                yield place
                yield from self.message(target, source, 64)
                yield from self.copy(source, target, size)

        yield self.environment.all_of([self.environment.process(pull(source)) for source in sources])

    def connect(self, exporter: Host) -> Process:
        """An import: the importer's part, then the exporter's on a progress thread."""
        yield self.environment.timeout(self.costs.connect_own)
        yield from self.serve(exporter.progress, self.costs.connect_other)

    def import_from(self, exporters: list[Host]) -> Process:
        """One importer: imports are blocking calls, one after the other."""
        for exporter in exporters:
            yield from self.connect(exporter)


def start_up(costs: Costs, hosts: int, rotated: bool) -> float:
    """Seconds until each decode host (half of them) has imported from each prefill host (the other half).
    `rotated`: each begins with another exporter; otherwise all in the same order."""
    half = hosts // 2
    fabric = Fabric(costs, half)

    def order(importer: int) -> list[Host]:
        first = importer if rotated else 0
        return fabric.hosts[first:] + fabric.hosts[:first]

    return fabric.run(fabric.import_from(order(importer)) for importer in range(half))


class Incast:
    """Every other host hands `size` bytes to host 0 at once; one of them then records a notify."""

    def __init__(self, costs: Costs, hosts: int, size: int, at_once: int | None = None) -> None:
        """`at_once`: host 0 pulls so many copies at a time. None: the senders push."""
        fabric = Fabric(costs, hosts)
        target, *senders = fabric.hosts
        self.notify = 0.0

        def notify() -> Process:
            # Halfway through, when the queues are full.
            yield fabric.environment.timeout((hosts - 1) * size / costs.bandwidth / 2)
            start = fabric.environment.now
            yield from fabric.message(senders[-1], target, 64)
            self.notify = fabric.environment.now - start

        copies: list[Process]
        if at_once is None:
            copies = [fabric.copy(sender, target, size) for sender in senders]
        else:
            copies = [fabric.pull_all(senders, target, size, at_once)]
        self.seconds = fabric.run([*copies, notify()])
        self.most_in_flight = fabric.most_in_flight


def mean_wait(costs: Costs, load: float, messages: int, seed: int) -> float:
    """The mean time that small messages from many hosts wait for a host's progress threads, which they use to
    `load` of their time. They arrive at random."""
    environment = simpy.Environment()
    progress = simpy.Resource(environment, costs.threads)
    draw = random.Random(seed)
    waits: list[float] = []

    def handle() -> Process:
        start = environment.now
        with progress.request() as turn:
            yield turn
            waits.append(environment.now - start)
            yield environment.timeout(costs.message)

    def arrive() -> Process:
        for _ in range(messages):
            yield environment.timeout(draw.expovariate(load * costs.threads / costs.message))
            environment.process(handle())

    environment.process(arrive())
    environment.run()
    return sum(waits) / len(waits)
