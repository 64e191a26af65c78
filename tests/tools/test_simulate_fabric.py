# SPDX-License-Identifier: Apache-2.0
"""scripts/simulate_fabric.py against closed forms, and its output. Needs simpy."""

import contextlib
import dataclasses
import io
import json
import pathlib
import sys
import tempfile
import unittest
import xml.etree.ElementTree

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "scripts"))
try:
    import simpy  # noqa: F401
except ImportError:
    print("simpy is missing: ./run --setup installs it")
    sys.exit(77)

import simulate_fabric
from fabric_simulation import formulas, model
from fabric_simulation.costs import Costs, from_bench

COSTS = Costs(
    bandwidth=1e9,
    message=2e-6,
    latency=5e-6,
    connect_own=1e-3,
    connect_other=5e-4,
    connection_bytes=65536,
    key_bytes=16,
)


def with_(**changes):
    return dataclasses.replace(COSTS, **changes)


class ClosedForms(unittest.TestCase):
    def assert_close(self, simulated, expected, tolerance=1e-9):
        self.assertLessEqual(abs(simulated - expected), tolerance * expected, (simulated, expected))

    def copy(self, costs, chunks):
        fabric = model.Fabric(costs, 2)
        return fabric.run([fabric.copy(fabric.hosts[0], fabric.hosts[1], chunks * costs.chunk)])

    def test_a_copy_alone(self):
        for costs in (
            COSTS,
            with_(bandwidth=1e12, window=64),  # the progress threads are slower than the links
            with_(chunk=4096, window=64),
        ):
            for chunks in (1, 2, 64):
                with self.subTest(costs=costs, chunks=chunks):
                    self.assert_close(self.copy(costs, chunks), formulas.copy(costs, chunks))

    def test_a_window_of_one_waits_for_every_acknowledgement(self):
        costs = with_(window=1)
        self.assert_close(self.copy(costs, 10), 10 * formulas.copy(costs, 1))

    def test_a_small_window_limits_the_rate(self):
        costs = with_(latency=1e-2, window=4)
        round_trip = formulas.copy(costs, 1)
        expected = 64 / 4 * round_trip
        self.assert_close(self.copy(costs, 64), expected, 0.1)
        self.assertGreater(self.copy(costs, 64), 2 * formulas.copy(costs, 64))

    def test_bytes_that_are_no_multiple_of_a_chunk(self):
        fabric = model.Fabric(COSTS, 2)
        seconds = fabric.run([fabric.copy(fabric.hosts[0], fabric.hosts[1], COSTS.chunk // 2)])
        self.assert_close(seconds, formulas.copy(with_(chunk=COSTS.chunk // 2), 1))

    def test_start_up(self):
        for hosts in (2, 16, 40):
            for rotated in (True, False):
                with self.subTest(hosts=hosts, rotated=rotated):
                    self.assert_close(
                        model.start_up(COSTS, hosts, rotated), formulas.start_up(COSTS, hosts, rotated)
                    )

    def test_incast(self):
        size = 32 * COSTS.chunk
        for hosts in (2, 5, 16):
            with self.subTest(hosts):
                pushed = model.Incast(COSTS, hosts, size)
                notify = 64 / COSTS.bandwidth  # passes the same link
                self.assert_close(pushed.seconds, formulas.incast(COSTS, hosts, size) + notify)
                self.assertLessEqual(pushed.most_in_flight, formulas.incast_in_flight(COSTS, hosts, size))

    def test_pulls_keep_the_queue_short(self):
        size = 32 * COSTS.chunk
        pushed = model.Incast(COSTS, 32, size)
        pulled = model.Incast(COSTS, 32, size, at_once=2)
        self.assertGreater(pushed.most_in_flight, 20 * COSTS.window * COSTS.chunk)
        self.assertLessEqual(pulled.most_in_flight, 2 * COSTS.window * COSTS.chunk + 64)
        self.assertGreater(pushed.notify, 8 * pulled.notify)
        self.assertLess(pulled.seconds, 1.1 * pushed.seconds)

    def test_waiting_for_a_progress_thread(self):
        for load in (0.3, 0.7):
            with self.subTest(load):
                self.assert_close(
                    model.mean_wait(COSTS, load, 60000, seed=1), formulas.mean_wait(COSTS, load), 0.05
                )

    def test_a_second_progress_thread_helps(self):
        one = model.mean_wait(COSTS, 0.8, 20000, seed=1)
        two = model.mean_wait(with_(threads=2), 0.8, 20000, seed=1)
        self.assertLess(two, 0.7 * one)


class Program(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def run_program(self, *arguments):
        out = io.StringIO()
        with contextlib.redirect_stdout(out):
            simulate_fabric.main(["--hosts", "2", "8", *map(str, arguments)])
        return out.getvalue()

    def bench(self, **changes):
        values = {
            "64M, out": 2.0,
            "64M, in": 1.0,
            "a 64-byte put among many, CPU": 2.0,
            "notify, ping-pong": 30.0,
            "a connection": 1000.0,
            "memory of a connection": 64.0,
            "a remote key": 16.0,
            **changes,
        }
        path = self.folder / "bench.json"
        rows = [
            {"question": "fabric", "what": what, "measured": None, "baseline": value}
            for what, value in values.items()
            if value is not None
        ]
        path.write_text(json.dumps({"rows": rows}))
        return path

    def test_costs_come_from_the_benchmark(self):
        costs = from_bench(self.bench())
        self.assertEqual(costs.bandwidth, 1e9)
        self.assertAlmostEqual(costs.latency, 11e-6)
        self.assertAlmostEqual(costs.connect_own, 5e-4)
        self.assertEqual(costs.connection_bytes, 65536)

    def test_a_missing_row_is_named(self):
        with self.assertRaisesRegex(SystemExit, "a connection"):
            from_bench(self.bench(**{"a connection": None}))

    def test_tables(self):
        text = self.run_program("--bench", self.bench())
        rows = [line for line in text.splitlines() if line.startswith(("| 2 ", "| 8 "))]
        self.assertEqual(len(rows), 6, text)  # three tables
        self.assertEqual(text, self.run_program("--bench", self.bench()))
        self.assertNotEqual(text, self.run_program("--bench", self.bench(**{"64M, out": 0.5})))

    def test_plot(self):
        path = self.folder / "plot.svg"
        self.run_program("--plot", path)
        root = xml.etree.ElementTree.parse(path).getroot()
        panels = root.findall("{http://www.w3.org/2000/svg}g")
        self.assertEqual(len(panels), 3)

    def test_wrong_numbers_of_hosts(self):
        for hosts in ("1", "3", "0", "-2", "many"):
            with (
                self.subTest(hosts),
                self.assertRaises(SystemExit),
                contextlib.redirect_stderr(io.StringIO()),
            ):
                simulate_fabric.main(["--hosts", hosts])


if __name__ == "__main__":
    unittest.main()
