# SPDX-License-Identifier: Apache-2.0
"""Traces from Python: what is in the file, options, ranges in all their forms. Each trace is one of the whole
process, so each test runs a script in a fresh one."""

from __future__ import annotations

import gzip
import json
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any, Callable

import pytest

if TYPE_CHECKING:
    from .conftest import RunPython

Events = list[dict[str, Any]]
TraceScript = Callable[..., Events]

# The files that the scripts write are in the current folder.
HEAD = """
import os
import ferry
os.chdir(os.environ["FOLDER"])
"""


@pytest.fixture
def trace_script(tmp_path: Path, run_python: RunPython) -> TraceScript:
    """Runs a script, which must succeed without output, and returns the events of the file it wrote."""

    def run(script: str, name: str = "out.json", **variables: str) -> Events:
        done = run_python(HEAD + script, FOLDER=str(tmp_path), **variables)
        assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
        data = (tmp_path / name).read_bytes()
        events: Events = json.loads(gzip.decompress(data) if name.endswith(".gz") else data)
        assert events[0]["name"] == "ferry_trace"
        assert events[-1]["name"] == "ferry_end"
        return events

    return run


def of_kind(events: Events, category: str) -> Events:
    return [event for event in events if event.get("cat") == category]


def test_a_block_is_traced(trace_script: TraceScript) -> None:
    events = trace_script("""
with ferry.Device(0), ferry.Stream() as stream, ferry.Buffer(4096) as buffer:
    data = ferry.pinned_bytes(4096)
    ferry.copy(buffer, data)
    with ferry.trace("out.json") as trace:
        assert trace.running and trace.path == "out.json"
        ferry.copy_async(buffer, data, stream=stream).wait()
        ferry.copy_async(data, buffer, stream=stream).wait()
    assert not trace.running
    ferry.copy(buffer, data)
""")
    works = [event["args"] for event in of_kind(events, "work") if "bytes" in event["args"]]
    assert [(work["direction"], work["bytes"], work["memory"]) for work in works] == [
        ("H2D", 4096, "pinned"),
        ("D2H", 4096, "pinned"),
    ]
    calls = Counter(event["name"] for event in of_kind(events, "call"))
    assert calls["aclrtMemcpyAsync"] == 2
    assert calls["aclrtMemcpy"] == 0


def test_start_flush_and_stop(trace_script: TraceScript) -> None:
    events = trace_script(
        """
import json
trace = ferry.trace("out.json.gz")
trace.stop()
trace.start()
with ferry.Device(0), ferry.Buffer(64) as buffer:
    buffer.fill(1)
    trace.flush()
    assert os.path.getsize("out.json.gz") > 0
trace.stop()
trace.stop()
""",
        "out.json.gz",
    )
    assert [event["args"]["kind"] for event in of_kind(events, "work")] == ["fill"]


def test_options(trace_script: TraceScript) -> None:
    script = """
with ferry.Device(0), ferry.Stream() as stream, ferry.Buffer(64) as buffer:
    parts = [(buffer[0:16], ferry.pinned_bytes(16)), (buffer[32:40], ferry.pinned_bytes(8))]
    with ferry.trace("out.json"{options}):
        ferry.copy_batch_async(parts, stream=stream).wait()
"""
    events = trace_script(script.format(options=", items=True, contents=True, ring=100"))
    begin = events[0]["args"]
    assert (begin["items"], begin["contents"]) == (True, True)
    (batch,) = (event["args"] for event in of_kind(events, "work") if event["args"]["kind"] == "batch")
    assert batch["sizes"] == [16, 8]
    assert len(batch["dsts"]) == len(batch["srcs"]) == 2
    events = trace_script(script.format(options=", stacks=True"))
    assert (events[0]["args"]["items"], events[0]["args"]["contents"]) == (False, False)
    stacks = {event["args"]["id"] for event in events if event["name"] == "ferry_stack"}
    assert {event["args"]["stack"] for event in of_kind(events, "call")} == stacks


def test_ranges_and_marks(trace_script: TraceScript) -> None:
    events = trace_script("""
import asyncio
import threading

@ferry.range("decorated", domain="d")
def decorated(depth):
    return decorated(depth - 1) if depth else 7

@ferry.range("coroutine")
async def coroutine():
    await asyncio.sleep(0)
    return 8

with ferry.trace("out.json"):
    ferry.mark("start")
    with ferry.range("outer \u00e9"):
        with ferry.range("inner"):
            ferry.mark("inside", domain="d")
    assert decorated(1) == 7
    async def both():
        assert await asyncio.gather(coroutine(), coroutine()) == [8, 8]
    asyncio.run(both())
    handed_over = ferry.range("handed over")
    handed_over.__enter__()
    other = threading.Thread(target=handed_over.__exit__, args=(None, None, None))
    other.start()
    other.join()
    try:
        with ferry.range("failing"):
            raise KeyError
    except KeyError:
        pass
""")
    marks = [(event["name"], event["args"]) for event in of_kind(events, "mark")]
    assert marks == [("start", {}), ("inside", {"domain": "d"})]
    begins: dict[str, dict[str, Any]] = {}
    names = []
    for event in of_kind(events, "range"):
        if event["ph"] == "b":
            begins[event["id"]] = event
            continue
        begin = begins.pop(event["id"])
        assert (begin["name"], begin["args"]) == (event["name"], event["args"])
        assert begin["ts"] <= event["ts"]
        names.append(begin["name"])
        assert (begin["tid"] == event["tid"]) == (begin["name"] != "handed over")
    assert begins == {}
    assert Counter(names) == {
        "outer \u00e9": 1,
        "inner": 1,
        "decorated": 2,
        "coroutine": 2,
        "handed over": 1,
        "failing": 1,
    }


def test_ranges_and_marks_in_a_stream(trace_script: TraceScript) -> None:
    events = trace_script("""
with ferry.Device(0), ferry.Stream() as stream, ferry.trace("out.json"):
    with ferry.range("copy", stream=stream):
        ferry.mark("here", domain="d", stream=stream)
    stream.synchronize()
""")
    host = events[0]["pid"]
    marks = [(event["name"], event["args"], event["pid"] == host) for event in of_kind(events, "mark")]
    assert sorted(marks, key=str) == [("here", {"domain": "d"}, False), ("here", {"domain": "d"}, True)]
    ends = Counter((event["ph"], event["pid"] == host) for event in of_kind(events, "range"))
    assert ends == {("b", True): 1, ("e", True): 1, ("b", False): 1, ("e", False): 1}
    assert {event["name"] for event in of_kind(events, "range")} == {"copy"}


def test_errors(trace_script: TraceScript) -> None:
    events = trace_script("""
import warnings

def refused(path, *words, **options):
    try:
        ferry.trace(path, **options).start()
    except ferry.InvalidArgumentError as error:
        assert all(word in str(error) for word in words), str(error)
    else:
        raise AssertionError(path)

refused("missing/out.json", "missing/out.json", "No such file")
refused(".", "is a folder")
refused("unused.json", "ring", ring=0)
try:
    ferry.trace("embedded\\0null.json").start()
except ValueError as error:
    assert "null" in str(error)
with ferry.trace("out.json"):
    refused("unused.json", "running")
    with ferry.range("still traced"):
        pass
assert not os.path.exists("unused.json")
""")
    assert {event["name"] for event in of_kind(events, "range")} == {"still traced"}


def test_an_error_in_the_block_ends_the_trace(trace_script: TraceScript) -> None:
    events = trace_script("""
try:
    with ferry.trace("out.json"):
        ferry.mark("before")
        raise KeyError("mine")
except KeyError:
    pass
with ferry.trace("second.json"):
    ferry.mark("after")
""")
    assert [event["name"] for event in of_kind(events, "mark")] == ["before"]


def test_without_a_trace_they_do_nothing(run_python: RunPython) -> None:
    done = run_python("""
import ferry
with ferry.range("unseen"):
    ferry.mark("unseen")
""")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
