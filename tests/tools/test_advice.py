# SPDX-License-Identifier: Apache-2.0
"""Advice about real programs: traced, and predicted for an invented device."""

import json
import os

from support import ToolTest, ferry, main

PROGRAM = os.environ["TOOLS_ADVICE"]
SIZES = [256, 4096, 65536, 1 << 20, 16 << 20]


def lane(direction, memory):
    """A copy costs the host 1 us and the device 1 us and one ns per 16 bytes."""
    points = [
        {
            "bytes": size,
            "copy_ns": 1000 + size / 16,
            "single_ns": 5000 + size / 16,
            "call_ns": 6000 + size / 8,
            "item_ns": 50 + size / 16,
        }
        for size in SIZES
    ]
    return {
        "direction": direction,
        "memory": memory,
        "submit_ns": 1000,
        "batch_submit_ns": 2000,
        "item_submit_ns": 10,
        "batch_ns": 1000,
        "curves": [{"footprint": 1 << 20, "points": points}],
    }


PROFILE = {
    "ferry_profile": 1,
    "device": "invented",
    "has_batch": True,
    "synchronize_ns": 2000,
    "record_ns": 500,
    "wait_ns": 500,
    "cross_ns": 1000,
    "fill_submit_ns": 1000,
    "fill_bytes_per_ns": 16,
    "overlaps": [{"bytes": 4096, "same_way": 1.2, "both_ways": 1.8}],
    "lanes": [
        lane(direction, memory)
        for direction, memory in (
            ("H2D", "pinned"),
            ("D2H", "pinned"),
            ("H2D", "pageable"),
            ("D2H", "pageable"),
            ("D2D", "device"),
        )
    ],
}


class Advice(ToolTest):
    def setUp(self):
        self.profile = self.write("profile.json", json.dumps(PROFILE))

    def trace(self, way, **options):
        path = self.folder / f"{way}.json"
        done = ferry("run", "--trace", path, "--", PROGRAM, way, **options)
        self.assertEqual(done.code, 0, done)
        return path

    def report(self, trace, *options):
        done = ferry("report", *options, trace)
        self.assertEqual(done.code, 0, done)
        return done.out

    def advice(self, trace):
        return json.loads(self.report(trace, "--json", "--profile", self.profile))["advice"]

    def expect(self, rule, function, **options):
        """One advice of the rule, about calls in the function of the program."""
        found = self.advice(self.trace(rule, **options))
        self.assertEqual([advice["rule"] for advice in found], [rule])
        self.assertGreater(found[0]["gain_ns"], 0)
        self.assertEqual(found[0]["now_ns"] - found[0]["predicted_ns"], found[0]["gain_ns"])
        places = " ".join(place["place"] for place in found[0]["places"])
        self.assertIn(function, places)
        return found[0]

    def test_small_copies(self):
        advice = self.expect("small-copies", "copy_in advice.cpp:")
        # A program that loses its core for a while ends a run of copies.
        self.assertGreater(advice["work_count"], 3000)
        self.assertIn(" copies H2D from pinned memory, 512 B each", advice["text"])
        self.assertEqual(advice["places"][0]["function"], "aclrtMemcpyAsync")

    def test_neighbours(self):
        advice = self.expect("neighbours", "copy_in advice.cpp:")
        self.assertRegex(advice["text"], r"each, 3\d\d\d begin where the copy before ends")

    def test_wait_per_copy(self):
        self.expect("wait-per-copy", "copy_in advice.cpp:")

    def test_repeated_bytes(self):
        advice = self.expect("repeated-bytes", "copy_in advice.cpp:", FERRY_TRACE_OPTIONS="contents")
        self.assertEqual(advice["work_count"], 29)

    def test_memory_in_loop(self):
        advice = self.expect("memory-in-loop", "register_each_time")
        self.assertIn("registered with aclrtHostRegister", advice["text"])

    def test_good_programs(self):
        for way in ("pipeline", "batches"):
            with self.subTest(way):
                self.assertEqual(self.advice(self.trace(way)), [])

    def test_terminal(self):
        text = self.report(self.trace("small-copies"), "--profile", self.profile)
        self.assertIn("\nAdvice\n1. Copy many small blocks with one call\n   gain  about ", text)
        self.assertIn("docs/tracing.md#small-copies", text)

    def test_without_profile(self):
        text = self.report(self.trace("small-copies"), "--no-limit")
        self.assertIn("none: nothing was measured on this machine; --profile FILE predicts gains", text)

    def test_bad_profile(self):
        trace = self.trace("batches")
        for text in ("", "{", "[]", '{"ferry_profile": 1}'):
            with self.subTest(text):
                self.profile.write_text(text)
                done = ferry("report", "--profile", self.profile, trace)
                self.assertEqual(done.code, 1)
                self.assertEqual(done.out, "")
                self.assertEqual(done.err.count("\n"), 1, done.err)


if __name__ == "__main__":
    main()
