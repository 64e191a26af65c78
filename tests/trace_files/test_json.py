# SPDX-License-Identifier: Apache-2.0
"""JSON traces, read with Python's parsers: every member of every event, odd texts, compression, killed writers."""

import gzip
import json
import signal
import zlib

from support import HAS_ZLIB, TraceTest, main, needs_zlib, write_trace

HOST = 4242
DEVICE_0 = (1 << 30) + 0
DEVICE_1 = (1 << 30) + 1
THREAD = 4243
REPLACED = "\ufffd"


def events_of(text):
    """The events of a complete trace, whose form is checked: one per line, in an array."""
    lines = text.split("\n")
    assert lines[0] == "[" and lines[-2:] == ["]", ""], (lines[0], lines[-3:])
    assert all(line.endswith("},") for line in lines[1:-3]) and lines[-3].endswith("}")
    events = json.loads(text)
    assert len(events) == len(lines) - 3
    return events


def events_of_cut(text):
    """The events of a trace without an end; an incomplete last line is dropped."""
    lines = text.split("\n")
    return json.loads("[" + "\n".join(lines[1:-1]).rstrip(",") + "]"), lines[-1]


class Json(TraceTest):
    def events(self):
        return events_of(self.write("out.json", "all").read_text(encoding="utf-8"))

    def one(self, events, **members):
        """The only event with these members, without them."""
        found = [event for event in events if members.items() <= event.items()]
        self.assertEqual(len(found), 1, members)
        return {name: value for name, value in found[0].items() if name not in members}

    def test_begin_and_end(self):
        events = self.events()
        self.assertEqual(
            events[0],
            {
                "ph": "M",
                "name": "ferry_trace",
                "pid": HOST,
                "tid": 0,
                "ts": 0,
                "args": {
                    "format": 1,
                    "ferry": "1.2.3",
                    "program": "/usr/bin/prog",
                    "arguments": ["prog", f"--name={REPLACED}{REPLACED}", 'a"b\\c\n\x01'],
                    "pid": HOST,
                    "started": "2025-11-18T21:15:43.123456Z",
                    "clock": 123456789,
                    "devices": [
                        {"id": 0, "kind": "cpu", "name": 'CPU "zero"', "memory": 1 << 30},
                        {"id": 1, "kind": "cuda", "name": "H200", "memory": 140 << 30},
                    ],
                    "soc": "Ascend910B1",
                    "cann": "8.5.0",
                    "schedule": "eager",
                    "check": True,
                    "items": False,
                    "contents": False,
                },
            },
        )
        self.assertEqual(events[-1]["name"], "ferry_end")
        self.assertEqual(events[-1]["args"], {"events": len(events) - 1, "dropped": 11, "reason": "exit"})
        modules = self.one(events, ph="M", name="ferry_modules")["args"]["modules"]
        self.assertEqual(
            modules,
            [{"path": "/usr/bin/prog", "build_id": "abcdef", "begin": "0x400000", "end": "0x500000", "offset": "0x1000"}],
        )

    def test_lanes_have_names(self):
        events = self.events()
        names = {
            (event["name"], event["pid"], event["tid"]): event["args"]["name"]
            for event in events
            if event["ph"] == "M" and event["name"] in ("process_name", "thread_name")
        }
        self.assertEqual(
            names,
            {
                ("process_name", HOST, 0): "host: prog",
                ("process_name", DEVICE_0, 0): "device 0 (cpu)",
                ("process_name", DEVICE_1, 0): "device 1 (cuda)",
                ("thread_name", HOST, THREAD): "worker",
                ("thread_name", DEVICE_0, 3): "stream 3",
                ("thread_name", DEVICE_0, 4): "stream 4",
                ("thread_name", DEVICE_1, 9): "stream 9",
            },
        )
        order = {e["pid"]: e["args"]["sort_index"] for e in events if e["name"] == "process_sort_index"}
        self.assertEqual(order, {HOST: 0, DEVICE_0: 1, DEVICE_1: 2})

    def test_calls(self):
        events = self.events()
        self.assertEqual(
            self.one(events, cat="call", name="aclrtMemcpyAsync"),
            {
                "ph": "X",
                "pid": HOST,
                "tid": THREAD,
                "ts": 1.0,
                "dur": 2.001,
                "args": {"site": "0x401234", "script": 'main  a"b.py:12', "stream": 3, "work": 1},
            },
        )
        self.assertEqual(
            self.one(events, cat="call", name="aclrtMemcpyBatchAsync")["args"],
            {"result": 107000, "work": 2, "works": 2},
        )
        early = self.one(events, cat="call", name="before the start")
        self.assertEqual((early["ts"], early["dur"]), (-1.5, 1.51))

    def test_stacks_and_calls_in_progress(self):
        events = self.events()
        stack = self.one(events, ph="M", name="ferry_stack")["args"]
        self.assertEqual(stack, {"id": 1, "frames": ["0x401234", "0x402000"]})
        self.assertEqual(self.one(events, cat="call", name="with a stack")["args"], {"stack": 1})
        open_call = self.one(events, cat="call", name="in progress")
        self.assertEqual((open_call["dur"], open_call["args"]), (0.04, {"unfinished": True}))

    def work(self, events, number):
        found = [e for e in events if e.get("cat") == "work" and e["args"]["work"] == number]
        self.assertEqual(len(found), 1)
        return found[0]

    def test_a_copy(self):
        work = self.work(self.events(), 1)
        self.assertEqual(
            work,
            {
                "ph": "X",
                "cat": "work",
                "name": "H2D 4.0 KiB",
                "pid": DEVICE_0,
                "tid": 3,
                "ts": 2.0,
                "dur": 1.0,
                "args": {
                    "work": 1,
                    "call": "aclrtMemcpyAsync",
                    "task": 11,
                    "stream": 3,
                    "device": 0,
                    "correlation": 101,
                    "kind": "copy",
                    "bytes": 4096,
                    "direction": "H2D",
                    "memory": "pinned",
                    "dst": "0x7f00a0001000",
                    "src": "0x1000",
                    "submitted": 1.5,
                    "gbps": 4.096,
                },
            },
        )

    def test_other_work(self):
        events = self.events()
        batch = self.work(events, 2)
        self.assertEqual(batch["name"], "batch H2D 3 items, 300 B")
        for name, value in {
            "kind": "batch",
            "items": 3,
            "smallest": 50,
            "largest": 150,
            "neighbours": 1,
            "sizes": [50, 100, 150],
            "dsts": ["0x10", "0x11", "0x12"],
            "srcs": ["0x20", "0x21", "0x22"],
            "model": 0,
            "run": 7,
            "hash": "0xabc",
            "result": 507011,
        }.items():
            self.assertEqual(batch["args"][name], value, name)
        rows = self.work(events, 3)
        self.assertEqual(rows["name"], "2D H2D 8 x 256 B")
        self.assertEqual([rows["args"][n] for n in ("kind", "dst_pitch", "src_pitch", "width", "peer")],
                         ["rows", 512, 256, 256, 1])
        self.assertNotIn("smallest", rows["args"])
        record, wait = self.work(events, 4), self.work(events, 5)
        self.assertEqual([record["name"], record["args"]["marker"]], ["record", 5])
        self.assertEqual([wait["name"], wait["args"]["marker"], wait["tid"]], ["wait", 5, 4])
        self.assertEqual(self.work(events, 6)["name"], "kernel add_custom")
        unfinished = self.work(events, 7)
        self.assertEqual([unfinished["name"], unfinished["dur"]], ["H2D 1.0 MiB", 0])
        self.assertIs(unfinished["args"]["unfinished"], True)
        self.assertNotIn("gbps", unfinished["args"])
        during = self.work(events, 8)
        self.assertEqual([during["name"], during["pid"], during["tid"]], ["H2D 1.5 KiB", HOST, THREAD])
        for name in ("stream", "task"):
            self.assertNotIn(name, during["args"])

    def test_arrows_connect_the_right_pairs(self):
        events = self.events()
        begins = {(e["cat"], e["id"]): e for e in events if e["ph"] == "s"}
        ends = {(e["cat"], e["id"]): e for e in events if e["ph"] == "f"}
        self.assertEqual(begins.keys(), ends.keys())
        # Work 8 ran during its call.
        self.assertEqual(
            set(begins), {("submit", n) for n in range(1, 8)} | {("event", (1 << 40) + 5)}
        )
        for (category, number), begin in begins.items():
            end = ends[category, number]
            self.assertEqual(end["bp"], "e")
            self.assertEqual(begin["name"], end["name"])
            if category == "submit":
                work = self.work(events, number)
                self.assertEqual((begin["pid"], begin["tid"], begin["ts"]), (HOST, THREAD, work["args"]["submitted"]))
                self.assertEqual((end["pid"], end["tid"], end["ts"]), (work["pid"], work["tid"], work["ts"]))
        begin, end = begins["event", (1 << 40) + 5], ends["event", (1 << 40) + 5]
        self.assertEqual([begin[n] for n in ("pid", "tid", "ts")], [DEVICE_0, 3, 7.1])
        self.assertEqual([end[n] for n in ("pid", "tid", "ts")], [DEVICE_0, 4, 7.2])

    def test_counters_and_instants(self):
        events = self.events()
        self.assertEqual(
            self.one(events, ph="C"),
            {"name": "device memory", "pid": DEVICE_1, "tid": 0, "ts": 9.0, "args": {"bytes": 65536}},
        )
        self.assertEqual(
            self.one(events, cat="memory"),
            {
                "ph": "i",
                "name": "alloc",
                "pid": HOST,
                "tid": THREAD,
                "ts": 9.1,
                "s": "t",
                "args": {"address": "0x7f00b0000000", "size": 8192, "device": 0},
            },
        )
        finding = self.one(events, cat="finding", ph="i")
        self.assertEqual(finding["name"], "host-write-in-flight")
        self.assertEqual(finding["args"], {"severity": "error", "text": "line 1\nline 2"})

    def test_ranges_and_marks(self):
        events = self.events()
        outer = self.one(events, cat="range", name="load \U0001f6a2 \u00e9")
        self.assertEqual(outer, {"ph": "X", "pid": HOST, "tid": THREAD, "ts": 9.2, "dur": 0.1, "args": {}})
        # Each byte that is not UTF-8 is replaced: a surrogate, and a / in two bytes.
        inner = self.one(events, cat="range", name=f"bad {REPLACED}( {REPLACED * 3} {REPLACED * 2}")
        self.assertEqual(inner["args"], {"domain": "io"})
        begin = self.one(events, cat="range", ph="b", name="across", pid=HOST)
        end = self.one(events, cat="range", ph="e", pid=HOST)
        self.assertEqual([begin[n] for n in ("id", "tid", "ts")], ["0x4d", THREAD, 9.4])
        self.assertEqual([end[n] for n in ("id", "name", "tid", "ts")], ["0x4d", "across", THREAD + 1, 9.5])
        begin = self.one(events, cat="range", ph="b", pid=DEVICE_0)
        end = self.one(events, cat="range", ph="e", pid=DEVICE_0)
        self.assertEqual([begin[n] for n in ("name", "tid", "ts")], ["across", 3, 9.46])
        self.assertEqual([end[n] for n in ("name", "tid", "ts")], ["across", 3, 9.52])
        self.assertEqual(begin["id"], end["id"])
        self.assertNotEqual(begin["id"], "0x4d")
        self.assertEqual(self.one(events, cat="mark", name="here\tand\r\x7f")["tid"], THREAD)
        mark = self.one(events, cat="mark", name="in a stream")
        self.assertEqual([mark["pid"], mark["tid"], mark["args"]], [DEVICE_1, 9, {"domain": "io"}])

    def test_a_folder_gets_the_name_that_viewers_expect(self):
        self.write("folder/", "all")
        self.assertEqual([file.name for file in (self.folder / "folder").iterdir()], ["trace_view.json"])
        self.write("folder/", "all")  # again, over what is there
        self.assertEqual(len(events_of((self.folder / "folder/trace_view.json").read_text("utf-8"))), len(self.events()))

    @needs_zlib
    def test_compressed_is_the_same(self):
        plain = self.write("out.json", "many", 5000).read_bytes()
        packed = self.write("out.json.gz", "many", 5000).read_bytes()
        self.assertEqual(gzip.decompress(packed), plain)
        self.assertLess(len(packed), len(plain) / 5)
        self.assertEqual(len([e for e in events_of(plain.decode()) if e.get("cat") == "work"]), 5000)

    def test_what_was_flushed_survives_a_kill(self):
        path = self.folder / "out.json"
        code, _ = write_trace(path, "killed")
        self.assertEqual(code, -signal.SIGKILL)
        self.check_killed(path.read_text("utf-8"))
        if HAS_ZLIB:
            path = self.folder / "out.json.gz"
            code, _ = write_trace(path, "killed")
            self.assertEqual(code, -signal.SIGKILL)
            stream = zlib.decompressobj(wbits=31)
            self.check_killed(stream.decompress(path.read_bytes()).decode())
            self.assertFalse(stream.eof)

    def killed_text(self, name, *mode):
        """What a writer leaves that kills itself."""
        path = self.folder / name
        self.assertEqual(write_trace(path, *mode), (-signal.SIGKILL, ""))
        if not name.endswith(".gz"):
            return path.read_text("utf-8")
        stream = zlib.decompressobj(wbits=31)
        return stream.decompress(path.read_bytes()).decode()

    def test_what_is_in_progress_is_at_the_end_until_more_comes(self):
        for name in ("open.json", "open.json.gz")[: 1 + HAS_ZLIB]:
            with self.subTest(name):
                events, rest = events_of_cut(self.killed_text(name, "open"))
                self.assertEqual(rest, "")
                (call,) = [e for e in events if e.get("cat") == "call"]
                self.assertEqual((call["ts"], call["dur"], call["args"]["unfinished"]), (3.0, 6.0, True))
                works = [(e["args"]["work"], e["args"].get("unfinished")) for e in events if e.get("cat") == "work"]
                self.assertEqual(works, [(1, None), (2, True)])
                self.check_lanes(events)
                events, rest = events_of_cut(self.killed_text(name, "open", "END"))
                self.assertEqual(rest, "")
                self.assertEqual([e for e in events if e.get("cat") == "call"], [])
                works = [(e["args"]["work"], e["args"].get("unfinished")) for e in events if e.get("cat") == "work"]
                self.assertEqual(works, [(1, None), (2, None)])
                self.check_lanes(events)

    def check_lanes(self, events):
        """Each lane of a device with work has a name."""
        named = {(e["pid"], e["tid"]) for e in events if e["name"] == "thread_name"}
        self.assertLessEqual({(e["pid"], e["tid"]) for e in events if e.get("cat") == "work"}, named)

    def check_killed(self, text):
        events, _ = events_of_cut(text)
        numbers = [e["args"]["work"] for e in events if e.get("cat") == "work"]
        self.assertGreaterEqual(len(numbers), 3000)
        self.assertEqual(numbers, list(range(1, len(numbers) + 1)))


if __name__ == "__main__":
    main()
