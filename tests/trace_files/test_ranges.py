# SPDX-License-Identifier: Apache-2.0
"""Marks and ranges of a traced program, by every function that makes them; traces of aclprofStart and aclprofStop."""

import collections
import fcntl
import json
import os
import pathlib
import subprocess

from support import TIMEOUT_S, TraceTest, main

ANNOTATE = os.environ["ANNOTATE"]


def events_of(path):
    return json.loads(pathlib.Path(path).read_text("utf-8"))


def marks_of(path):
    return [event["name"] for event in events_of(path) if event.get("cat") == "mark"]


class Ranges(TraceTest):
    def run_program(self, *arguments, **variables):
        environment = {name: value for name, value in os.environ.items() if not name.startswith("FERRY_")}
        done = subprocess.run(
            [ANNOTATE, *map(str, arguments)],
            env={**environment, **variables},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            timeout=TIMEOUT_S,
            text=True,
            check=False,
        )
        self.assertEqual((done.returncode, done.stdout), (0, ""), done.stderr)
        return done.stderr

    def traced(self):
        path = self.folder / "out.json"
        self.assertEqual(self.run_program("all", FERRY_TRACE=str(path)), "")
        events = events_of(path)
        self.host = events[0]["pid"]
        self.assertEqual(events[-1]["args"]["dropped"], 0)
        return events

    def test_marks(self):
        marks = collections.Counter(
            (event["name"], event["args"].get("domain", ""), event["pid"] == self.host)
            for event in self.traced()
            if event.get("cat") == "mark"
        )
        on_host = {
            ("mstx mark", ""),
            ("mstx mark in stream", ""),
            ("mstx domain mark", "storage"),
            ("stamp mark", ""),
            ("mark ex", ""),
            ("ferry mark", "ferry domain"),
        }
        in_stream = {("mstx mark in stream", ""), ("mark ex", ""), ("ferry mark", "ferry domain")}
        in_stream.add(("trace point 17", ""))
        expected = {(*mark, True): 1 for mark in on_host} | {(*mark, False): 1 for mark in in_stream}
        self.assertEqual(marks, expected)

    def test_ranges_that_may_end_elsewhere(self):
        begins = {}
        ranges = collections.Counter()
        for event in sorted(self.traced(), key=lambda event: event.get("ts", 0)):
            if event.get("cat") != "range" or event["ph"] not in "be":
                continue
            key = (event["pid"], event["id"])
            if event["ph"] == "b":
                self.assertNotIn(key, begins)
                begins[key] = event
                continue
            begin = begins.pop(key)
            self.assertEqual(begin["name"], event["name"])
            place = "host" if event["pid"] == self.host else "stream"
            same = "same thread" if begin["tid"] == event["tid"] else "other thread"
            ranges[begin["name"], begin["args"].get("domain", ""), place, same] += 1
        self.assertEqual(begins, {})
        self.assertEqual(
            ranges,
            {
                ("mstx range", "", "host", "other thread"): 1,
                ("mstx range in stream", "", "host", "same thread"): 1,
                ("mstx range in stream", "", "stream", "same thread"): 1,
                ("mstx domain range", "storage", "host", "same thread"): 1,
                ("stamp range", "", "host", "other thread"): 1,
                ("ferry range", "", "host", "same thread"): 1,
                ("around the step", "", "host", "same thread"): 1,
                ("around the step", "", "stream", "same thread"): 1,
                ("step 1", "", "stream", "same thread"): 1,
            },
        )

    def test_nested_ranges(self):
        nested = {
            event["name"]: event for event in self.traced() if event.get("cat") == "range" and event["ph"] == "X"
        }
        self.assertEqual(set(nested), {"stamp outer", "stamp inner", "operator"})
        outer, inner = nested["stamp outer"], nested["stamp inner"]
        self.assertEqual(outer["tid"], inner["tid"])
        self.assertLessEqual(outer["ts"], inner["ts"])
        self.assertLessEqual(inner["ts"] + inner["dur"], outer["ts"] + outer["dur"] + 0.001)

    def test_profiling_sessions_are_traces_in_their_folder(self):
        folder = self.folder / "profile"
        self.assertEqual(self.run_program("profiling", folder), "")
        self.assertEqual(marks_of(folder / "trace_view.json"), ["first"])
        self.assertEqual(marks_of(folder / "2/trace_view.json"), ["second"])
        self.assertEqual(marks_of(folder / "3/trace_view.json"), ["third"])
        for place in ("", "2/", "3/"):
            end = events_of(f"{folder}/{place}trace_view.json")[-1]
            self.assertEqual((end["name"], end["args"]["reason"]), ("ferry_end", "stop"))

    def test_profiling_leaves_a_running_trace_alone(self):
        path = self.folder / "out.json"
        folder = self.folder / "profile"
        log = self.run_program("profiling", folder, FERRY_TRACE=str(path), FERRY_LOG="info")
        self.assertFalse(folder.exists())
        self.assertEqual(
            marks_of(path), ["before", "first", "between", "second", "between", "third", "after"]
        )
        self.assertIn("aclprofStart", log)
        self.assertIn("running", log)

    def test_profiling_goes_on_where_no_file_can_be_written(self):
        folder = self.folder / "missing" / "profile"
        self.assertEqual(self.run_program("profiling", folder), "")
        self.assertFalse(folder.exists())
        log = self.run_program("profiling", folder, FERRY_LOG="warn")
        self.assertIn("No such file or directory", log)

    def test_a_folder_in_use_by_another_process(self):
        folder = self.folder / "profile"
        self.run_program("profiling", folder)
        with open(folder / "trace_view.json", "a") as other:
            fcntl.flock(other, fcntl.LOCK_EX)
            self.assertEqual(self.run_program("profiling", folder), "")
        names = [p for p in folder.iterdir() if p.is_dir() and p.name.isdigit() and int(p.name) > 3]
        self.assertEqual([marks_of(name / "trace_view.json") for name in names], [["first"]])


if __name__ == "__main__":
    main()
