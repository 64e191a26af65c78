# SPDX-License-Identifier: Apache-2.0
"""ferry report: sums of small traces that are known exactly, files that are no traces, and more."""

import gzip
import json
import os
import pathlib
import re
import tempfile

from make_trace import write
from support import CXX, HERE, ToolTest, ferry, ferry_on_terminal, main, run

SMALL = HERE / "traces/small.json"
SLOW = HERE / "traces/slow.json"
FINDINGS = HERE / "traces/findings.json"

PROGRAM = """
__attribute__((noinline)) unsigned long caller();
static unsigned long here() { return (unsigned long)__builtin_return_address(0); }
unsigned long (*pointer)() = here;
unsigned long caller() {
  unsigned long address = pointer();
  return address + 0;  // the call is not the last thing
}
"""


def report(*arguments):
    return ferry("report", "--no-limit", *arguments)


def as_json(*arguments):
    done = report("--json", *arguments)
    assert done.code == 0, done
    return json.loads(done.out)


class Sums(ToolTest):
    def test_totals(self):
        whole = as_json(SMALL)
        self.assertEqual(whole["schema"], "ferry-report-1")
        self.assertEqual(whole["trace"]["program"], "/bin/loop")
        self.assertTrue(whole["trace"]["complete"])
        self.assertEqual(whole["trace"]["dropped"], 2)
        self.assertEqual(whole["begin_ns"], 0)
        self.assertEqual(whole["span_ns"], 130_000)
        self.assertEqual((whole["calls"], whole["threads"]), (7, 2))
        self.assertEqual(whole["in_calls_ns"], 53_000)
        self.assertEqual(whole["blocked_ns"], 50_000)
        total = whole["total"]
        self.assertEqual((total["works"], total["copies"]), (5, 8))
        self.assertEqual(total["bytes"], 4096 + 4096 + 16384 + 8192 + 1000)
        # Two overlap: the sum of times is more than the time in which something was copied.
        self.assertEqual((total["time_ns"], total["busy_ns"]), (44_000, 39_000))

    def test_directions(self):
        rows = as_json(SMALL)["directions"]
        found = {(row["direction"], row["memory"]): row for row in rows}
        self.assertEqual(set(found), {("H2D", "pinned"), ("D2H", "pageable"), ("set", "")})
        pinned = found["H2D", "pinned"]
        self.assertEqual(pinned["works"], 3)
        self.assertEqual(pinned["copies"], 6)
        self.assertEqual(pinned["bytes"], 24576)
        self.assertEqual(pinned["time_ns"], 30_000)
        self.assertEqual(pinned["busy_ns"], 25_000)
        self.assertEqual(pinned["queued_ns"], 38_000)
        self.assertEqual(pinned["gbps"], 24576 / 25_000)
        self.assertIsNone(pinned["share_of_limit"])

    def test_sizes(self):
        rows = {row["from"]: row["copies"] for row in as_json(SMALL)["sizes"]}
        self.assertEqual(rows, {512: 1, 4096: 6, 8192: 1})

    def test_streams(self):
        rows = {row["stream"]: row for row in as_json(SMALL)["streams"]}
        self.assertEqual(set(rows), {1, 2, None})
        self.assertEqual(rows[1]["busy_ns"], 20_000)
        self.assertEqual(rows[2]["busy_ns"], 16_000)
        self.assertEqual(rows[2]["awaiting_ns"], 7_000)
        self.assertEqual(rows[2]["other_works"], 2)
        self.assertEqual(rows[None]["busy_ns"], 8_000)

    def test_call_sites(self):
        rows = as_json(SMALL)["sites"]
        loop = [row for row in rows if row["place"]["text"] == "load  loop.py:12"]
        self.assertEqual(len(loop), 1)
        self.assertEqual(loop[0]["call"], "aclrtMemcpyAsync")
        self.assertEqual(loop[0]["calls"], 2)
        self.assertEqual(loop[0]["in_calls_ns"], 2_000)
        self.assertEqual(loop[0]["bytes"], 8192)
        self.assertEqual(loop[0]["place"]["function"], "load")
        self.assertEqual(loop[0]["place"]["file"], "loop.py")
        self.assertEqual(loop[0]["place"]["line"], 12)
        batch = [row for row in rows if row["call"] == "aclrtMemcpyBatchAsync"]
        self.assertEqual(batch[0]["place"]["address"], "0x401020")
        self.assertEqual(batch[0]["copies"], 4)

    def test_why_the_host_was_blocked(self):
        rows = {row["why"]: row for row in as_json(SMALL)["blocked"]}
        self.assertEqual(set(rows), {"synchronize", "async-pageable", "allocation"})
        self.assertEqual(rows["synchronize"]["time_ns"], 35_000)
        self.assertEqual(rows["async-pageable"]["time_ns"], 9_000)
        self.assertEqual(rows["async-pageable"]["longest_place"]["address"], "0x401050")
        self.assertEqual(rows["allocation"]["time_ns"], 6_000)

    def test_overlap(self):
        (row,) = as_json(SMALL)["overlap"]
        # Stream 1 at 12-22 and 30-40, stream 2 at 35-45 and 82-88.
        self.assertEqual(row["streams"], 2)
        self.assertEqual(row["span_ns"], 76_000)
        self.assertEqual(row["with_ns"], [45_000, 26_000, 5_000])
        self.assertEqual(row["never_together"], [])

    def test_gaps(self):
        rows = as_json(SMALL)["gaps"]
        first = rows[0]
        self.assertEqual((first["begin_ns"], first["end_ns"]), (53_000, 82_000))
        self.assertEqual(first["next_stream"], 2)
        self.assertTrue(first["submitted_late"])
        self.assertEqual([row["end_ns"] - row["begin_ns"] for row in rows], [29_000, 8_000])

    def test_failures_ranges_findings_and_memory(self):
        whole = as_json(SMALL)
        (failure,) = whole["failures"]
        self.assertEqual((failure["of"], failure["result"]), ("call", 207001))
        self.assertEqual(failure["call"], "aclrtMalloc")
        (step,) = whole["ranges"]
        self.assertEqual((step["name"], step["domain"]), ("step", "train"))
        self.assertEqual((step["count"], step["total_ns"], step["longest_ns"]), (2, 50_000, 30_000))
        self.assertEqual(whole["device_memory"], [{"device": 0, "peak": 8192}])
        (finding,) = whole["findings"]
        self.assertEqual((finding["rule"], finding["count"]), ("host-write-in-flight", 1))

    def test_many_works_have_the_sums_of_their_rule(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "many.json.gz")
            write(path, 20_000)
            whole = as_json(path)
        self.assertEqual(whole["calls"], 22_000)
        self.assertEqual(whole["total"]["works"], 20_000)
        self.assertEqual(whole["total"]["bytes"], 15_000 * 4096 + 5_000 * 65536)
        self.assertEqual(whole["total"]["busy_ns"], 20_000 * 10_000)
        (row,) = whole["overlap"]
        self.assertEqual(row["never_together"], [[0, 1]])


class Text(ToolTest):
    def test_says_what_matters(self):
        done = report(SMALL)
        self.assert_ok(done)
        for words in (
            "7 calls of 2 threads, 8 copies of",
            "2 events were dropped",
            "H2D pinned",
            "load  loop.py:12",
            "asynchronous calls that copied pageable memory themselves",
            "207001",
            "train: step",
            "host-write-in-flight",
        ):
            self.assertIn(words, done.out, done)
        self.assertNotIn("\033", done.out)

    def test_long_tables_have_the_rows_that_were_asked_for(self):
        done = report("--top", "1", SMALL)
        self.assertIn("--top", done.out, done)
        self.assertLess(len(done.out), len(report(SMALL).out))
        self.assert_usage(report("--top", "0", SMALL), "ferry report", "--top")

    def test_lines_fit_the_terminal(self):
        for columns in (60, 80, 120):
            done = ferry_on_terminal(
                "report", "--no-limit", str(SMALL), columns=columns, NO_COLOR="1"
            )
            self.assert_code(done, 0)
            for line in done.out.split("\n"):
                self.assertLessEqual(len(line.rstrip("\r")), columns, line)

    def test_texts_of_a_trace_do_not_reach_the_terminal_as_they_are(self):
        text = SMALL.read_text().replace("load  loop.py", "\\u001b[31mload  loop.py")
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "trace.json")
            path.write_text(text)
            done = report(path)
        self.assert_ok(done)
        self.assertIn("?[31mload", done.out)
        self.assertNotIn("\033", done.out)

    def test_limits_are_measured_on_this_machine(self):
        done = ferry("report", "--json", str(SMALL))
        self.assert_ok(done)
        limits = json.loads(done.out)["limits"]
        self.assertEqual(limits["source"], "measured now on this machine", done)
        ways = {(way["direction"], way["memory"]): way["gbps"] for way in limits["ways"]}
        self.assertEqual(set(ways), {("H2D", "pinned"), ("D2H", "pageable")})
        self.assertGreater(min(ways.values()), 0)
        rows = json.loads(done.out)["directions"]
        for row in rows:
            if row["direction"] == "set":
                self.assertIsNone(row["share_of_limit"])
                continue
            limit = ways[row["direction"], row["memory"]]
            self.assertAlmostEqual(row["share_of_limit"], row["gbps"] / limit, delta=0.01)


class Places(ToolTest):
    def trace_of(self, folder, library, offset, build_id):
        """A trace with one call that returns to an offset in a library."""
        module = {
            "path": library,
            "build_id": build_id,
            "begin": "0x10000000",
            "end": "0x10100000",
            "offset": "0x0",
        }
        site = hex(0x10000000 + offset)
        events = [
            {"ph": "M", "name": "ferry_trace", "args": {"format": 1, "program": "p"}},
            {"ph": "M", "name": "ferry_modules", "args": {"modules": [module]}},
            {"ph": "X", "cat": "call", "name": "aclInit", "pid": 1, "tid": 1, "ts": 1, "dur": 1},
        ]
        events[2]["args"] = {"site": site}
        path = os.path.join(folder, "trace.json")
        with open(path, "w") as file:
            file.write("[\n" + ",\n".join(json.dumps(event) for event in events) + ",\n")
        return path

    def test_are_named_as_long_as_the_file_is_the_traced_one(self):
        with tempfile.TemporaryDirectory() as folder:
            source = os.path.join(folder, "caller.cpp")
            library = os.path.join(folder, "libcaller.so")
            pathlib.Path(source).write_text(PROGRAM)
            command = [CXX, "-g", "-O1", "-fPIC", "-shared", "-Wl,--build-id=0xab12", source]
            self.assert_ok(run(*command, "-o", library))
            names = run("nm", "-C", library).out
            start = int(re.search(r"([0-9a-f]+) T caller\(\)", names).group(1), 16)
            # The call of the pointer is a few bytes behind the start; any address of line 6 does.
            path = self.trace_of(folder, library, start + 12, "ab12")
            (row,) = as_json(path)["sites"]
            if row["place"]["file"] is None:
                self.assertIn("caller", row["place"]["text"])
                self.skipTest("libdw is not here")
            self.assertEqual(row["place"]["function"], "caller")
            self.assertTrue(row["place"]["file"].endswith("caller.cpp"))
            self.assertIn(row["place"]["line"], (5, 6))
            self.assertRegex(row["place"]["text"], r"^caller caller\.cpp:[56]$")
            path = self.trace_of(folder, library, start + 12, "ab13")
            (row,) = as_json(path)["sites"]
            self.assertEqual(row["place"]["text"], f"libcaller.so+{start + 12:#x}")
            self.assertIsNone(row["place"]["file"])
            os.remove(library)
            os.mkfifo(library)
            (row,) = as_json(path)["sites"]
            self.assertEqual(row["place"]["text"], f"libcaller.so+{start + 12:#x}")


class Differences(ToolTest):
    def test_are_paired_by_name(self):
        rows = as_json("--diff", SMALL, SLOW)["differences"]
        found = {(row["group"], row["name"], row["what"]): row for row in rows}
        total = found["total", "", "copying"]
        self.assertEqual((total["before"], total["after"]), (39_000, 41_000))
        pinned = found["directions", "H2D pinned", "time"]
        self.assertEqual((pinned["before"], pinned["after"]), (30_000, 40_000))
        self.assertAlmostEqual(pinned["ratio"], 4 / 3)
        site = found["sites", "aclrtMemcpyBatchAsync  0x401020", "time"]
        self.assertEqual((site["before"], site["after"], site["ratio"]), (10_000, 20_000, 2))

    def test_as_text(self):
        done = report("--diff", SMALL, SLOW)
        self.assert_ok(done)
        self.assertRegex(done.out, r"10\.0 us +20\.0 us +2\.00  time")
        self.assert_ok(report("--diff", SMALL, SMALL))

    def test_need_two_files(self):
        self.assert_usage(report("--diff", SMALL), "ferry report", "two files")
        self.assert_usage(report(SMALL, SLOW), "ferry report", "--diff")
        self.assert_usage(report(), "ferry report", "FILE")


class Findings(ToolTest):
    def test_of_the_checker_are_printed(self):
        done = ferry("report", FINDINGS)
        self.assert_ok(done)
        for words in (
            "1 errors, 0 notes",
            "error host-write-in-flight, 3 times",
            "main  loop.cpp:12",
            "do this: Wait.",
        ):
            self.assertIn(words, done.out, done)
        self.assertEqual(
            json.loads(ferry("report", "--json", FINDINGS).out), json.loads(FINDINGS.read_text())
        )


class NoTraces(ToolTest):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def path(self, name, content=None):
        path = os.path.join(self.folder.name, name)
        if content is not None:
            pathlib.Path(path).write_bytes(content)
        return path

    def assert_refused(self, path, words):
        for done in (report(path), report("--diff", SMALL, path)):
            self.assert_code(done, 1)
            self.assertEqual(done.out, "", done)
            self.assertEqual(done.err.count("\n"), 1, done)
            self.assertIn(f"ferry report: {path} ", done.err, done)
            self.assertIn(words, done.err, done)

    def test_are_refused_in_one_line(self):
        first = SMALL.read_text().split("\n")[1]
        torch = b'[\n{"ph":"X","cat":"kernel","name":"k","pid":0,"tid":7,"ts":1.0,"dur":2.0},\n]\n'
        for name, content, words in (
            ("empty", b"", "is empty"),
            ("bracket", b"[\n", "is not a trace of Ferry"),
            ("text", b"hello\n", "is not a trace of Ferry"),
            ("binary", os.urandom(100_000), "not a trace of Ferry"),
            ("zeros", bytes(10_000), "is not a trace of Ferry"),
            ("other", torch, "is not a trace of Ferry"),
            ("list", b"[1,2,3]\n", "is not a trace of Ferry"),
            ("format", f"[\n{first}\n".replace('"format":1', '"format":9').encode(), "format 9"),
            ("long.pftrace", b"\x0a\x10", "is in Perfetto's own form"),
            ("cut.gz", gzip.compress(SMALL.read_bytes())[:10], "is empty"),
            ("damaged.gz", gzip.compress(b"x" * 5000)[:20] + bytes(30), ""),
        ):
            with self.subTest(name):
                self.assert_refused(self.path(name, content), words)

    def test_nor_objects(self):
        for name, content in (
            ("pytorch.json", b'{"traceEvents":[{"ph":"X","ts":1,"dur":1}]}'),
            ("model.json", b'{\n"modelRI": 1, "streams": []}'),
            ("half.json", b'{"findings":['),
            ("deep.json", b'{"a":' + b"[" * 100_000),
        ):
            with self.subTest(name):
                done = report(self.path(name, content))
                self.assert_code(done, 1)
                self.assertIn("is neither a trace of Ferry nor a report", done.err, done)
                self.assertEqual(done.err.count("\n"), 1, done)
        done = report(self.path("new.json", b'{"schema":2,"findings":[]}'))
        self.assert_code(done, 1)
        self.assertIn("has schema 2", done.err, done)

    def test_nor_what_is_no_file(self):
        fifo = self.path("fifo")
        os.mkfifo(fifo)
        self.assert_refused(fifo, "is not a regular file")
        self.assert_refused(self.path("none"), "No such file")
        self.assert_refused(self.folder.name, "is a folder without a trace_view.json")
        self.assert_refused("/dev/zero", "is not a regular file")

    def test_lines_without_end(self):
        self.assert_refused(self.path("long", b"[\n" + b"x" * (66 << 20)), "has a line of more than")
        packed = gzip.compress(b"[\n" + bytes(200 << 20), 1)
        self.assert_refused(self.path("bomb.gz", packed), "has a line of more than")

    def test_cut_off_anywhere_is_a_shorter_trace(self):
        text = SMALL.read_bytes()
        for size in range(text.index(b"\n", 2) + 1, len(text) - 4, 97):
            done = report("--json", self.path("cut.json", text[:size]))
            self.assert_ok(done)
            self.assertFalse(json.loads(done.out)["trace"]["complete"])
        self.assertIn("was cut off", report(self.path("cut.json", text[: len(text) // 2])).out)


if __name__ == "__main__":
    main()
