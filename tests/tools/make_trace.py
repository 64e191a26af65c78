# SPDX-License-Identifier: Apache-2.0
"""Writes a trace of a loop of copies on two streams, as docs/trace_format.md describes it.

make_trace.py FILE WORKS: each work is a copy of 4 KiB or 64 KiB that takes 10 us, with its call,
flows and counters. Every tenth call is a synchronisation that waits 5 us.
"""
import gzip
import json
import sys

FIRST_DEVICE = 1073741824
THREAD = 4242


def events(works: int):
    """The events of the trace, in the order in which a recorder writes them."""
    yield {"ph": "M", "name": "ferry_trace", "pid": THREAD, "tid": 0, "args": {
        "format": 1, "ferry": "0.1", "program": "/bin/loop", "arguments": ["loop", str(works)],
        "pid": THREAD, "started": "2026-11-18T21:15:43.123456Z", "clock": 1,
        "devices": [{"id": 0, "kind": "cpu", "name": "CPU", "memory": 1 << 30}],
        "soc": "Ascend910B4", "cann": "9.0.0", "schedule": "eager", "check": False,
        "items": False, "contents": False}}
    yield {"ph": "M", "name": "process_name", "pid": THREAD, "tid": 0,
           "args": {"name": "host: loop"}}
    for number in range(1, works + 1):
        stream = number % 2
        begin = number * 20
        size = 4096 if number % 4 else 65536
        call = {"ph": "X", "cat": "call", "name": "aclrtMemcpyAsync", "pid": THREAD,
                "tid": THREAD, "ts": begin, "dur": 1.5,
                "args": {"site": hex(0x401000 + stream * 16), "stream": stream, "work": number}}
        yield call
        yield {"ph": "s", "cat": "submit", "name": "submit", "pid": THREAD, "tid": THREAD,
               "ts": begin + 1, "id": number}
        yield {"ph": "X", "cat": "work", "name": f"H2D {size // 1024}.0 KiB",
               "pid": FIRST_DEVICE, "tid": stream, "ts": begin + 2.25, "dur": 10,
               "args": {"work": number, "call": "aclrtMemcpyAsync", "task": number // 2,
                        "stream": stream, "device": 0, "correlation": number, "kind": "copy",
                        "bytes": size, "direction": "H2D", "memory": "pinned",
                        "dst": hex(0x7f0000000000 + number * 65536),
                        "src": hex(0x7e0000000000 + number * 65536),
                        "submitted": begin + 1, "gbps": round(size / 10e3, 3)}}
        yield {"ph": "f", "cat": "submit", "name": "submit", "pid": FIRST_DEVICE, "tid": stream,
               "ts": begin + 2.25, "id": number, "bp": "e"}
        yield {"ph": "C", "name": "bytes in flight", "pid": FIRST_DEVICE, "tid": 0,
               "ts": begin + 2.25, "args": {"bytes": size}}
        if number % 10 == 0:
            yield {"ph": "X", "cat": "call", "name": "aclrtSynchronizeStream", "pid": THREAD,
                   "tid": THREAD, "ts": begin + 8, "dur": 5,
                   "args": {"site": "0x401100", "stream": stream}}


def write(path: str, works: int) -> None:
    """The whole file."""
    opener = gzip.open if path.endswith(".gz") else open
    count = 0
    with opener(path, "wt") as file:
        file.write("[\n")
        for event in events(works):
            file.write(json.dumps(event, separators=(",", ":")) + ",\n")
            count += 1
        end = {"ph": "M", "name": "ferry_end", "pid": THREAD, "tid": 0,
               "args": {"events": count, "dropped": 0, "reason": "exit"}}
        file.write(json.dumps(end, separators=(",", ":")) + "\n]\n")


if __name__ == "__main__":
    write(sys.argv[1], int(sys.argv[2]))
