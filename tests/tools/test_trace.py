# SPDX-License-Identifier: Apache-2.0
"""What the library records: traces of programs whose copies are known, read by Python's own JSON."""

import collections
import fcntl
import gzip
import json
import signal
import subprocess
import time

from support import CC, HERE, LIBRARY, SANITIZE, SOURCE, TIMEOUT_S, ToolTest, environment, ferry, main, plain_builds_only, run

# Of traced.c, in the order of submission: kind, direction, bytes, memory.
COPIES = [
    ("copy", "H2D", 4096, "pinned"),
    ("copy", "H2D", 8192, "pinned"),
    ("copy", "H2D", 12288, "pinned"),
    ("copy", "D2H", 4096, "pinned"),
    ("copy", "H2D", 5000, "pageable"),
]
SCHEDULES = ("eager", "lazy", "shuffle:1", "shuffle:2")


def parts_of(work):
    args = work["args"]
    return args["kind"], args.get("direction"), args.get("bytes"), args.get("memory")


class TraceTest(ToolTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.file = cls.folder / "out.json"
        cls.traced = cls.folder / "traced"
        done = run(
            CC, "-g", *SANITIZE, "-o", cls.traced, f"-I{SOURCE / 'include'}", HERE / "programs/traced.c", LIBRARY, "-pthread",
            f"-Wl,-rpath,{LIBRARY.rpartition('/')[0]}",
        )  # fmt: skip
        if done.code != 0:
            raise AssertionError(done)

    def record(self, *arguments, **variables):
        """Runs the program with a trace; returns the events."""
        done = run(self.traced, *arguments, env=environment(FERRY_TRACE=str(self.file), **variables))
        self.assert_ok(done)
        return self.read()

    def read(self):
        events = json.loads(self.file.read_text())
        self.assertEqual(events[0]["name"], "ferry_trace")
        self.assertEqual(events[-1]["name"], "ferry_end")
        self.assertEqual(events[-1]["args"]["dropped"], 0)
        self.assertEqual(events[-1]["args"]["events"], len(events) - 1)
        return events

    def works(self, events):
        works = sorted((e for e in events if e.get("cat") == "work"), key=lambda e: e["args"]["work"])
        self.assertEqual([e["args"]["work"] for e in works], list(range(1, len(works) + 1)))
        return works

    def check(self, events):
        """What holds for every trace: times, arrows, lanes."""
        by_number = {e["args"]["work"]: e for e in events if e.get("cat") == "work"}
        owner = {}  # of the works of a call that no other thread's came between
        for call in (e for e in events if e.get("cat") == "call" and "work" in e["args"]):
            owner[call["args"]["work"]] = call
        arrows = collections.defaultdict(dict)
        for event in events:
            self.assertGreaterEqual(event.get("ts", 0), 0)
            self.assertGreaterEqual(event.get("dur", 0), 0)
            if event["ph"] in "sf":
                self.assertNotIn(event["ph"], arrows[event["cat"], event["id"]])
                arrows[event["cat"], event["id"]][event["ph"]] = event
        for (kind, number), ends in arrows.items():
            start, finish = ends["s"], ends["f"]
            self.assertLessEqual(start["ts"], finish["ts"])
            work = by_number[number if kind == "submit" else number - 2**40]
            self.assertEqual((finish["pid"], finish["tid"]), (work["pid"], work["tid"]))
            if kind == "submit":
                self.assertEqual((finish["ts"], start["ts"]), (work["ts"], work["args"]["submitted"]))
                if number in owner:
                    call = owner[number]
                    self.assertEqual(call["tid"], start["tid"])
                    self.assertTrue(call["ts"] <= start["ts"] <= call["ts"] + call["dur"])
        self.assertEqual([e for e in events if e.get("cat") == "call" and "unfinished" in e["args"]], [])
        last_end = collections.defaultdict(float)
        for work in sorted(by_number.values(), key=lambda e: e["ts"]):
            if "unfinished" in work["args"] or "stream" not in work["args"]:
                continue
            lane = work["pid"], work["tid"]
            self.assertGreaterEqual(work["ts"] + 0.001, last_end[lane], "a stream executes in order")
            last_end[lane] = work["ts"] + work["dur"]
            self.assertIn(("submit", work["args"]["work"]), arrows)

    def test_known_copies_are_recorded_exactly(self):
        for schedule in SCHEDULES:
            with self.subTest(schedule):
                events = self.record(FERRY_SCHEDULE=schedule)
                self.check(events)
                works = self.works(events)
                self.assertEqual([parts_of(w) for w in works if w["args"]["kind"] == "copy"], COPIES)
                self.assertEqual(events[0]["args"]["schedule"], schedule)
                for work in works:
                    self.assertNotIn("result", work["args"])
                    self.assertNotIn("unfinished", work["args"])
                kinds = collections.Counter(w["args"]["kind"] for w in works)
                self.assertGreaterEqual(kinds["record"], 1)
                self.assertEqual(len([e for e in events if e.get("cat") == "event" and e["ph"] == "s"]), kinds["wait"])

    def test_calls_have_their_works_results_and_places(self):
        events = self.record()
        calls = [e for e in events if e.get("cat") == "call"]
        names = collections.Counter(c["name"] for c in calls)
        self.assertEqual(names["aclrtMemcpyAsync"], 5)
        self.assertEqual(names["aclrtSynchronizeStream"], 2)
        self.assertEqual(names["aclrtMalloc"], 1)
        failed = [c for c in calls if "result" in c["args"]]
        self.assertEqual([c["name"] for c in failed], ["aclrtMemcpyAsync"])
        self.assertNotIn("work", failed[0]["args"])
        for work in self.works(events):
            owner = [
                c for c in calls
                if 0 <= work["args"]["work"] - c["args"].get("work", 2**60) < c["args"].get("works", 1)
            ]  # fmt: skip
            self.assertEqual([c["name"] for c in owner], [work["args"]["call"]])
        modules = [m for e in events if e["name"] == "ferry_modules" for m in e["args"]["modules"]]
        program = [m for m in modules if m["path"].endswith("/traced")]
        for call in calls:
            site = int(call["args"]["site"], 16)
            self.assertTrue(any(int(m["begin"], 16) <= site < int(m["end"], 16) for m in program), call["name"])
        in_a_loop = {c["args"]["site"] for c in calls if c["name"] == "aclrtMemcpyAsync"}
        self.assertEqual(len(in_a_loop), 3, "one in copy_in, two in copies")

    def test_runs_of_the_first_model_are_told_apart(self):
        for schedule in SCHEDULES:
            with self.subTest(schedule):
                works = self.works(events := self.record("model", FERRY_SCHEDULE=schedule))
                found = collections.Counter((w["name"], w["args"].get("model"), w["args"].get("run")) for w in works)
                names = ("model run", "H2D 4.0 KiB", "H2D 8.0 KiB", *2 * ("record", "wait"))
                expected = collections.Counter((name, 0, number) for number in (1, 2, 3, 4) for name in names)
                self.assertEqual(found, expected)
                self.assertEqual([w for w in works if "unfinished" in w["args"]], [])
                self.check_arrows_begin_in_calls(events)
                # From a record to the wait for it, in the same run.
                run_of = {w["args"]["work"]: w["args"]["run"] for w in works}
                records = {w["args"]["marker"]: w["args"] for w in works if w["name"] == "record"}
                waits = {w["args"]["work"]: w["args"] for w in works if w["name"] == "wait"}
                arrows = [e["id"] - 2**40 for e in events if e.get("cat") == "event" and e["ph"] == "s"]
                self.assertEqual(sorted(arrows), sorted(waits))
                for wait in waits.values():
                    record = records[wait["marker"]]
                    self.assertEqual(run_of[wait["work"]], run_of[record["work"]])
                    self.assertNotEqual(wait["stream"], record["stream"])

    def test_ranges_end_with_the_trace(self):
        self.assert_ok(run(self.traced, "ranges", self.file, env=environment()))
        events = self.read()
        ends = [(e["ph"], e["name"]) for e in events if e.get("cat") == "range"]
        self.assertEqual(ends, [("b", "open"), ("e", "open")])
        (mark,) = self.works(events)
        self.assertEqual((mark["name"], mark["args"]["kind"]), ("ferryMark", "callout"))
        self.check_arrows_begin_in_calls(events)

    def check_arrows_begin_in_calls(self, events):
        """A viewer shows no arrow that begins where nothing is."""
        calls = [e for e in events if e.get("cat") == "call"]
        for arrow in (e for e in events if e["ph"] == "s" and e["cat"] == "submit"):
            around = [
                c for c in calls if c["tid"] == arrow["tid"] and 0 <= arrow["ts"] - c["ts"] <= c["dur"] + 0.001
            ]
            self.assertNotEqual(around, [], arrow)

    def test_memory_and_counters(self):
        events = self.record()
        names = [e["name"] for e in events if e.get("cat") == "memory"]
        self.assertEqual(names, ["alloc", "host alloc", "host free", "free"])
        counters = collections.defaultdict(list)
        for event in events:
            if event["ph"] == "C":
                counters[event["name"]].append(event["args"]["bytes"])
        self.assertEqual(counters["bytes in flight"][-1], 0)
        self.assertEqual(counters["device memory"][-1], 0)
        self.assertGreaterEqual(max(counters["device memory"]), 2**20)

    def test_threads_lose_nothing(self):
        for schedule in SCHEDULES[:3]:
            with self.subTest(schedule):
                events = self.record("threads", FERRY_SCHEDULE=schedule)
                self.check(events)
                copies = [parts_of(w) for w in self.works(events) if w["args"]["kind"] == "copy"]
                self.assertEqual(collections.Counter(copies), {("copy", "H2D", 64, "pinned"): 6000})

    def test_traces_start_and_stop_while_streams_exist(self):
        for schedule in SCHEDULES:
            with self.subTest(schedule):
                self.assert_ok(run(self.traced, "middle", self.file, env=environment(FERRY_SCHEDULE=schedule)))
                events = self.read()
                self.check(events)
                self.assertEqual([w["args"]["bytes"] for w in self.works(events)], [2002, 2002])
                self.assertEqual(events[-1]["args"]["reason"], "stop")

    def test_check_and_trace_together_give_what_each_gives_alone(self):
        alone = self.record()
        done = run(self.traced, env=environment(FERRY_TRACE=str(self.file), FERRY_CHECK="1", FERRY_SCHEDULE="eager"))
        both = self.read()
        self.check(both)
        checked = run(self.traced, env=environment(FERRY_CHECK="1", FERRY_SCHEDULE="eager"))
        self.assertEqual(done.code, checked.code)
        self.assertEqual(
            [parts_of(w) for w in self.works(both) if w["args"]["kind"] == "copy"],
            [parts_of(w) for w in self.works(alone) if w["args"]["kind"] == "copy"],
        )
        findings = [e["name"] for e in both if e.get("cat") == "finding"]
        for rule in findings:
            self.assertIn(rule, checked.err)
        self.assertEqual(bool(findings), "ferry: error:" in checked.err or "ferry: note:" in checked.err)

    @plain_builds_only
    def test_a_leak_is_an_instant(self):
        leaky = self.build(CC, "leaky", f"-I{SOURCE / 'include'}", HERE / "programs/leaky.c", LIBRARY)
        done = ferry("run", "--check", "--trace", self.file, "--", leaky)
        self.assert_code(done, 0)
        findings = [e for e in self.read() if e.get("cat") == "finding"]
        self.assertEqual([e["name"] for e in findings], ["leak"])
        self.assertEqual(findings[0]["args"]["severity"], "note")
        self.assertIn("alive at aclFinalize", findings[0]["args"]["text"])

    def test_what_was_flushed_survives_a_kill(self):
        done = run(self.traced, "killed", env=environment(FERRY_TRACE=str(self.file)))
        self.assert_code(done, -signal.SIGKILL)
        lines = self.file.read_text().split("\n")
        while True:  # an incomplete last line
            try:
                events = json.loads("\n".join(lines).rstrip().rstrip(",") + "]")
                break
            except json.JSONDecodeError:
                lines.pop()
        copies = [parts_of(w) for w in self.works(events) if w["args"]["kind"] == "copy"]
        self.assertEqual(copies, COPIES)
        self.assert_code(ferry("report", "--no-limit", self.file), 0)

    def events_so_far(self):
        """Of a trace that has no end, without an incomplete last line."""
        lines = self.file.read_text().split("\n")
        try:
            return json.loads("\n".join(lines[:-1]).rstrip(",") + "]")
        except json.JSONDecodeError:
            return []

    def test_a_killed_process_leaves_the_call_and_the_works_that_it_hung_in(self):
        process = subprocess.Popen([self.traced, "hang"], env=environment(FERRY_TRACE=str(self.file)))
        self.addCleanup(process.kill)
        deadline = time.monotonic() + TIMEOUT_S
        unfinished = []
        while len(unfinished) < 3 and time.monotonic() < deadline:
            time.sleep(0.05)  # between looks at the file
            events = self.events_so_far() if self.file.exists() else []
            unfinished = [e for e in events if e.get("args", {}).get("unfinished")]
        process.kill()
        process.wait(TIMEOUT_S)
        self.assertEqual(sorted(e["name"] for e in unfinished), ["H2D 100 B", "aclrtSynchronizeStream", "take-notify"])
        (call,) = [e for e in unfinished if e["cat"] == "call"]
        streams = {e["args"]["stream"] for e in unfinished}
        self.assertEqual(streams, {call["args"]["stream"]})
        done = ferry("report", "--json", "--no-limit", self.file)
        self.assert_ok(done)
        report = json.loads(done.out)
        (row,) = report["open_calls"]
        self.assertEqual((row["call"], row["place"]["function"]), ("aclrtSynchronizeStream", "hang"))
        self.assertGreater(row["time_ns"], 90_000_000)
        self.assertEqual((report["unfinished"], report["total"]["works"]), (2, 0))
        text = ferry("report", "--no-limit", self.file)
        self.assertIn("Calls that were in progress when the trace ended", text.out)
        self.assert_ok(ferry("report", "--no-limit", "--html", self.folder / "hang.html", self.file))

    def test_a_call_that_is_in_progress_at_exit_is_unfinished(self):
        events = self.record("exit in a call")
        unfinished = [e for e in events if e.get("cat") == "call" and "unfinished" in e["args"]]
        self.assertIn("aclrtProcessReport", [e["name"] for e in unfinished])
        for call in unfinished:
            self.assertGreater(call["dur"], 0)

    @plain_builds_only
    def test_stacks(self):
        events = self.record(FERRY_TRACE_OPTIONS="stacks")
        self.check(events)
        stacks = {e["args"]["id"]: e["args"]["frames"] for e in events if e["name"] == "ferry_stack"}
        calls = [e for e in events if e.get("cat") == "call"]
        for call in calls:
            self.assertEqual(stacks[call["args"]["stack"]][0], call["args"]["site"], call)
        done = ferry("report", "--json", "--no-limit", self.file)
        self.assert_ok(done)
        sites = json.loads(done.out)["sites"]
        found = {(s["call"], tuple(p["function"] for p in s["stack"])): s["calls"] for s in sites}
        self.assertEqual(found["aclrtMemcpyAsync", ("copy_in", "copies", "main")], 3)
        self.assertEqual(found["aclrtMalloc", ("begin", "main")], 1)
        text = ferry("report", "--no-limit", self.file).out
        self.assertIn("Stacks of the call sites", text)
        self.assertRegex(text, r"\[\d+\] +aclrtMemcpyAsync\n +copy_in traced.c:\d+\n +copies traced.c:\d+\n +main ")

    def test_a_quick_exit_completes_the_file(self):
        works = self.works(self.record("quick"))
        self.assertEqual([parts_of(w) for w in works if w["args"]["kind"] == "copy"], COPIES)

    def test_work_that_has_not_run_is_unfinished(self):
        works = self.works(self.record("unfinished", FERRY_SCHEDULE="lazy"))
        self.assertEqual([(w["args"]["unfinished"], w["dur"]) for w in works], [(True, 0)])

    @plain_builds_only
    def test_a_child_does_not_write_to_the_file(self):
        events = self.record("fork")
        self.check(events)
        self.assertEqual(len({e["pid"] for e in events if e.get("cat") == "call"}), 1)
        self.assertEqual(len([w for w in self.works(events) if w["args"]["kind"] == "copy"]), len(COPIES))

    def test_names_of_files(self):
        packed = self.folder / "out.json.gz"
        self.assert_ok(run(self.traced, env=environment(FERRY_TRACE=str(packed))))
        with gzip.open(packed, "rt") as file:
            self.assertEqual(json.load(file)[-1]["name"], "ferry_end")
        self.assert_ok(run(self.traced, env=environment(FERRY_TRACE=f"{self.folder}/view/")))
        json.loads((self.folder / "view/trace_view.json").read_text())
        self.assert_ok(run(self.traced, env=environment(FERRY_TRACE=f"{self.folder}/p%p.json")))
        (named,) = self.folder.glob("p[0-9]*.json")
        self.assertEqual(json.loads(named.read_text())[0]["args"]["pid"], int(named.stem[1:]))

    def test_options(self):
        events = self.record("threads", FERRY_TRACE_OPTIONS="contents")
        hashes = {w["args"]["hash"] for w in self.works(events) if w["args"]["kind"] == "copy"}
        self.assertEqual(len(hashes), 1, "the same bytes again and again")
        done = run(self.traced, "threads", env=environment(FERRY_TRACE=str(self.file), FERRY_TRACE_OPTIONS="ring=50"))
        self.assert_ok(done)
        events = json.loads(self.file.read_text())
        self.assertEqual(len([e for e in events if e.get("cat") == "work"]), 50)
        self.assertGreater(events[-1]["args"]["dropped"], 5000)

    def test_a_file_in_use_is_left_alone(self):
        with open(self.file, "w", encoding="utf-8") as file:
            file.write("mine")
            file.flush()
            fcntl.flock(file, fcntl.LOCK_EX)
            done = run(self.traced, env=environment(FERRY_TRACE=str(self.file)))
            self.assert_code(done, 0)
            self.assert_complaint(done, str(self.file), "another", "%p")
            self.assertEqual(self.file.read_text(), "mine")

    @plain_builds_only
    def test_asking_makes_no_file(self):
        path = self.folder / "none.json"
        self.assert_code(ferry("env", FERRY_TRACE=str(path)), 0)
        self.assert_code(ferry("run", "--trace", path, "--", "true"), 0)
        self.assertFalse(path.exists())


if __name__ == "__main__":
    main()
