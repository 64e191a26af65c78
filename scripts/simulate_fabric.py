#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Simulates memory of other hosts (docs/fabric.md) for many hosts: connections, keys, incast.

What one host and one connection cost is measured: ferry bench fabric --json FILE, then --bench FILE. Without
it, the numbers of MEASURED are used. What many of them do together is simulated (fabric_simulation/model.py).
Where there is a closed form (formulas.py), tests/tools/test_simulate_fabric.py compares the two. Needs simpy.
"""

from __future__ import annotations

import argparse
import dataclasses
import pathlib

from fabric_simulation import formulas, model
from fabric_simulation.costs import MIB, Costs, from_bench
from fabric_simulation.plot import Line, Panel, document

# Raw UCX 1.13 over TCP and loopback between two processes on two cores (AMD EPYC) that other work shared, so
# where possible these are CPU times. Measure your own network: --bench.
MEASURED = Costs(
    bandwidth=3.1e9,  # 64 MiB messages take 0.32 s of CPU time per GB on the sender, 0.25 s on the receiver
    message=0.96e-6,  # CPU time of the receiver per 64-byte put
    latency=3.5e-6,  # a ping-pong took 10.8 us; less two messages each way
    connect_own=0.41e-3,  # the fastest of six runs took 0.82 ms
    connect_other=0.41e-3,
    connection_bytes=334,  # heap; buffers of sockets in the kernel are not counted
    key_bytes=12,
)
HOSTS = [2, 16, 128, 1024]
HAND_OVER = 16 * MIB  # a KV cache of 4096 blocks of 4 KiB
PULLS = 4
SEED = 1


@dataclasses.dataclass
class Result:
    """What was simulated for one number of hosts."""

    hosts: int
    same_order: float
    rotated: float
    pushed: model.Incast
    pulled: model.Incast
    wait: float


def simulate(costs: Costs, hosts: int) -> Result:
    return Result(
        hosts,
        model.start_up(costs, hosts, rotated=False),
        model.start_up(costs, hosts, rotated=True),
        model.Incast(costs, hosts, HAND_OVER),
        model.Incast(costs, hosts, HAND_OVER, at_once=PULLS),
        model.mean_wait(costs, 0.5, 20000, SEED),
    )


def seconds_text(seconds: float) -> str:
    for unit, size in (("s", 1.0), ("ms", 1e-3), ("us", 1e-6)):
        if seconds >= size:
            return f"{seconds / size:.3g} {unit}"
    return f"{seconds * 1e9:.3g} ns"


def bytes_text(count: float) -> str:
    for unit, size in (("GiB", MIB << 10), ("MiB", MIB), ("KiB", 1 << 10)):
        if count >= 0.99 * size:  # three digits cannot say 1020
            return f"{count / size:.3g} {unit}"
    return f"{count:.0f} B"


def table(heads: list[str], rows: list[list[str]]) -> str:
    lines = [heads, ["---"] * len(heads), *rows]
    return "".join("| " + " | ".join(line) + " |\n" for line in lines)


def costs_text(costs: Costs) -> str:
    return (
        f"One host: B = {costs.bandwidth / 1e9:.3g} GB/s in and out, {costs.threads} progress thread(s) with "
        f"m = {seconds_text(costs.message)} per message.\n"
        f"The network: L = {seconds_text(costs.latency)} one way. Chunks of {bytes_text(costs.chunk)}, "
        f"W = {costs.window} in flight per connection, c = chunk / B = {seconds_text(costs.chunk_time)}.\n"
        f"A connection: o = {seconds_text(costs.connect_own)} on the importer, "
        f"e = {seconds_text(costs.connect_other)} on the exporter, "
        f"{bytes_text(costs.connection_bytes)} of memory; a key: {bytes_text(costs.key_bytes)}.\n"
    )


def start_up_table(costs: Costs, results: list[Result]) -> str:
    return "\nEach decode host imports from each prefill host (n = hosts / 2).\n\n" + table(
        [
            "hosts",
            "connections per host: n",
            "their memory",
            "their keys",
            "same order: n (o + e) + (n - 1) e",
            "rotated: n (o + e)",
        ],
        [
            [
                str(result.hosts),
                str(formulas.connections(result.hosts)),
                bytes_text(formulas.connections(result.hosts) * costs.connection_bytes),
                bytes_text(formulas.connections(result.hosts) * costs.key_bytes),
                seconds_text(result.same_order),
                seconds_text(result.rotated),
            ]
            for result in results
        ],
    )


def incast_table(costs: Costs, results: list[Result]) -> str:
    head = (
        f"\nAll other hosts hand {bytes_text(HAND_OVER)} to one host at once; a notify is sent halfway.\n"
        "Pushed: at most (hosts - 1) W chunks are in flight. "
        f"Pulled: the receiver asks for {PULLS} copies at a time.\n\n"
    )
    return head + table(
        ["hosts", "pushed", "in flight", "notify", "pulled", "in flight", "notify"],
        [
            [str(result.hosts)]
            + [
                text
                for incast in (result.pushed, result.pulled)
                for text in (
                    seconds_text(incast.seconds),
                    bytes_text(incast.most_in_flight),
                    seconds_text(incast.notify),
                )
            ]
            for result in results
        ],
    )


def progress_table(costs: Costs, results: list[Result]) -> str:
    return "\nSmall messages to one host; its progress threads take threads / m per second.\n\n" + table(
        ["hosts", "messages per second", "of each other host", "mean wait at half of that"],
        [
            [
                str(result.hosts),
                f"{formulas.messages_per_second(costs):.3g}",
                f"{formulas.messages_per_second(costs) / (result.hosts - 1):.3g}",
                seconds_text(result.wait),
            ]
            for result in results
        ],
    )


def plot(costs: Costs, results: list[Result]) -> str:
    grey, orange, blue = "#8a8f98", "#d9822b", "#1f6feb"
    panels = [
        Panel(
            "until all are connected, s",
            [
                Line("all importers in the same order", orange, [result.same_order for result in results]),
                Line("each begins with another exporter", blue, [result.rotated for result in results]),
            ],
        ),
        Panel(
            "in flight to one receiver, MiB",
            [
                Line("pushed by all at once", orange, [r.pushed.most_in_flight / MIB for r in results]),
                Line(f"pulled, {PULLS} at a time", blue, [r.pulled.most_in_flight / MIB for r in results]),
            ],
        ),
        Panel(
            "a notify behind that, ms",
            [
                Line("pushed by all at once", orange, [r.pushed.notify * 1e3 for r in results]),
                Line(f"pulled, {PULLS} at a time", blue, [r.pulled.notify * 1e3 for r in results]),
                Line("on an idle network", grey, [(2 * costs.message + costs.latency) * 1e3] * len(results)),
            ],
        ),
    ]
    subtitle = (
        f"scripts/simulate_fabric.py; {bytes_text(HAND_OVER)} from each host, "
        f"{costs.bandwidth / 1e9:.3g} GB/s per host"
    )
    return document(
        "Memory of other hosts, over the number of hosts (simulated)",
        subtitle,
        panels,
        [r.hosts for r in results],
    )


def even_number(text: str) -> int:
    number = int(text)
    if number < 2 or number % 2 != 0:
        raise argparse.ArgumentTypeError(
            f"{text}: half of the hosts prefill, half decode: an even number from 2"
        )
    return number


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--bench", type=pathlib.Path, metavar="FILE", help="output of ferry bench fabric --json"
    )
    parser.add_argument("--bandwidth", type=float, metavar="GB/S", help="into and out of one host, instead")
    parser.add_argument("--latency", type=float, metavar="US", help="of the network, one way, instead")
    parser.add_argument("--threads", type=int, default=1, help="progress threads per host (default: 1)")
    parser.add_argument(
        "--hosts", type=even_number, nargs="+", default=HOSTS, help="how many hosts (default: 2 16 128 1024)"
    )
    parser.add_argument("--plot", type=pathlib.Path, metavar="FILE", help="write the picture, as SVG")
    options = parser.parse_args(arguments)
    costs = dataclasses.replace(
        MEASURED if options.bench is None else from_bench(options.bench), threads=options.threads
    )
    if options.bandwidth is not None:
        costs = dataclasses.replace(costs, bandwidth=options.bandwidth * 1e9)
    if options.latency is not None:
        costs = dataclasses.replace(costs, latency=options.latency * 1e-6)
    results = [simulate(costs, hosts) for hosts in options.hosts]
    print(costs_text(costs), end="")
    for part in (start_up_table, incast_table, progress_table):
        print(part(costs, results), end="")
    if options.plot is not None:
        options.plot.write_text(plot(costs, results))


if __name__ == "__main__":
    main()
