# SPDX-License-Identifier: Apache-2.0
"""ferry replay: what it executes, that every byte arrives, and how it refuses files."""

import json
import os
import pathlib
import re

from support import READELF, ToolTest, ferry, main, plain_builds_only, run

DEVICE = 1073741824
THREAD = 77
HOST_AT = 0x7E0000000000
DEVICE_AT = 0x7F0000000000


class Trace:
    """A trace file, call by call: each takes 2 us, each work 1 us."""

    def __init__(self):
        self.lines = [
            {"ph": "M", "name": "ferry_trace", "pid": THREAD, "tid": 0, "args": {"format": 1, "pid": THREAD}}
        ]
        self.now = 0
        self.works = 0

    def call(self, name, thread=THREAD, **args):
        self.lines.append(
            {"ph": "X", "cat": "call", "name": name, "pid": THREAD, "tid": thread, "ts": self.now, "dur": 2}
            | {"args": args}
        )
        self.now += 10

    def work(self, name, stream, kind, thread=THREAD, **args):
        self.works += 1
        begin = self.now + 0.5
        self.call(name, thread, work=self.works, **({} if stream is None else {"stream": stream}))
        lane = {"pid": THREAD, "tid": thread} if stream is None else {"pid": DEVICE, "tid": stream}
        args |= {"work": self.works, "call": name, "kind": kind, "device": 0, "submitted": begin}
        if stream is not None:
            args["stream"] = stream
        self.lines.append(
            {"ph": "X", "cat": "work", "name": kind, "ts": begin, "dur": 1, "args": args} | lane
        )

    def copy(self, stream, dst, src, size, direction="H2D", memory="pinned", **more):
        name = "aclrtMemcpy" if stream is None else "aclrtMemcpyAsync"
        self.work(
            name,
            stream,
            "copy",
            bytes=size,
            direction=direction,
            memory=memory,
            dst=hex(dst),
            src=hex(src),
            **more,
        )

    def write(self, path):
        text = "[\n" + "".join(json.dumps(line) + ",\n" for line in self.lines)
        end = {"ph": "M", "name": "ferry_end", "pid": THREAD, "tid": 0, "args": {"events": len(self.lines)}}
        path.write_text(text + json.dumps(end) + "\n]\n")
        return path


def everything():
    """Every kind of step, on two streams and two threads, in an order that is complete."""
    trace = Trace()
    for i in range(8):
        trace.copy(1, DEVICE_AT + i * 8192, HOST_AT + i * 8192, 4096)
    trace.work("aclrtRecordEvent", 1, "record", marker=1)
    trace.work("aclrtStreamWaitEvent", 2, "wait", thread=99, marker=1)
    trace.copy(2, DEVICE_AT + (1 << 20), DEVICE_AT, 65536, "D2D", "device", thread=99)
    trace.copy(2, HOST_AT + (1 << 20), DEVICE_AT + (1 << 20), 65536, "D2H", thread=99)
    trace.call("aclrtSynchronizeStream", 99, stream=2)
    trace.call("aclrtSynchronizeDevice")
    trace.copy(None, DEVICE_AT + (2 << 20), HOST_AT, 100, "H2D", "pageable")
    trace.copy(None, HOST_AT + 4096, HOST_AT, 100, "H2H", "pageable")
    trace.work(
        "aclrtMemcpyBatchAsync",
        1,
        "batch",
        bytes=3000,
        items=3,
        direction="H2D",
        memory="registered",
        dst=hex(DEVICE_AT + (3 << 20)),
        src=hex(HOST_AT),
    )
    trace.work(
        "aclrtMemcpy2dAsync",
        1,
        "rows",
        bytes=640,
        items=10,
        width=64,
        dst_pitch=128,
        src_pitch=64,
        direction="H2D",
        memory="pinned",
        dst=hex(DEVICE_AT + (4 << 20)),
        src=hex(HOST_AT + (4 << 20)),
    )
    trace.work("aclrtMemsetAsync", 1, "fill", bytes=512, dst=hex(DEVICE_AT + (5 << 20)))
    trace.work("aclrtLaunchKernel", 1, "kernel")
    trace.call("aclrtSynchronizeEvent", stream=1)
    trace.call("aclrtSynchronizeDevice")
    return trace


class Replay(ToolTest):
    def replay(self, trace, *options, **changes):
        path = trace.write(self.folder / "trace.json")
        return ferry("replay", path, "--rounds", "2", *options, **changes)

    def test_executes_every_kind_of_step(self):
        done = self.replay(everything(), "--verify", "--json")
        self.assert_ok(done)
        result = json.loads(done.out)
        self.assertEqual(result["copies"], 8 + 2 + 2 + 3 + 1)
        self.assertEqual((result["streams"], result["threads"], result["devices"]), (2, 2, 1))
        self.assertEqual(result["directions"]["H2D"]["bytes"], 8 * 4096 + 100 + 3000 + 640)
        self.assertEqual(result["directions"]["D2H"]["bytes"], 65536)
        self.assertEqual(result["skipped"], {"kernels": 1})
        self.assertEqual(result["invented_batches"], 1)
        self.assertGreater(result["replayed"]["ns"], 0)
        self.assertEqual(len(result["replayed"]["rounds"]), 2)

    def test_text_says_what_was_left_out(self):
        done = self.replay(everything())
        self.assert_ok(done)
        self.assertRegex(done.out, r"(?m)^without pauses +recorded +replayed +ratio$", done)
        self.assertRegex(done.out, r"(?m)^total +[\d.]+ us +[\d.]+ (us|ms) +[\d.]+$", done)
        self.assertRegex(done.out, r"(?m)^device to host +[\d.]+ GB/s +[\d.]+ GB/s", done)
        self.assertIn("Not repeated: 1 x kernels.", done.out, done)
        self.assertIn("1 batch was recorded without", done.out, done)

    def test_as_batch_moves_the_same_bytes(self):
        for schedule in ("eager", "lazy", "shuffle:3"):
            with self.subTest(schedule):
                done = self.replay(
                    everything(), "--as", "batch", "--verify", "--json", "--schedule", schedule
                )
                self.assert_ok(done)
                result = json.loads(done.out)
                self.assertEqual(result["batch"]["calls"], result["calls"] - 7)
                gain = result["replayed"]["ns"] - result["batch"]["ns"]
                self.assertAlmostEqual(result["batch"]["gain_ns"], gain, delta=1)
        done = self.replay(everything(), "--as", "batch")
        self.assertRegex(done.out, r"As batches: \d+ calls instead of \d+, measured", done)

    def test_verify_finds_copies_that_are_not_ordered(self):
        trace = Trace()
        # Submitted first, but a stream waits for it to come second.
        trace.copy(1, DEVICE_AT, HOST_AT, 4096)
        trace.copy(2, DEVICE_AT, HOST_AT + 8192, 4096)
        seen = {self.replay(trace, "--verify", "--schedule", f"shuffle:{seed}").code for seed in range(12)}
        self.assertEqual(seen, {0, 1})

    def test_recorded_pace_keeps_the_time_between_calls(self):
        trace = Trace()
        trace.copy(1, DEVICE_AT, HOST_AT, 64)
        trace.now += 20000
        trace.copy(1, DEVICE_AT, HOST_AT, 64)
        done = self.replay(trace, "--pace", "recorded", "--json")
        self.assert_ok(done)
        result = json.loads(done.out)
        self.assertGreater(result["replayed"]["ns"], 20e6)
        self.assertEqual(result["recorded"], {"total_ns": 20012000, "busy_ns": 4000})

    def test_refuses_files_with_one_line(self):
        folder = self.folder
        (folder / "empty.json").write_text("")
        (folder / "foreign.json").write_text('{"traceEvents": []}\n')
        Trace().write(folder / "nothing.json")
        trace = Trace()
        trace.copy(1, DEVICE_AT, HOST_AT, 1 << 45)
        trace.write(folder / "huge.json")
        for name, text in (
            ("missing.json", "missing.json"),
            ("empty.json", "empty.json"),
            ("foreign.json", "foreign.json"),
            ("nothing.json", "no copies that can be repeated"),
            ("huge.json", "need 32.0 TiB on device 0, which has"),
        ):
            with self.subTest(name):
                done = ferry("replay", folder / name)
                self.assert_code(done, 1)
                self.assertEqual(done.out, "", done)
                self.assertRegex(done.err, r"\Aferry replay: [^\n]+\n\Z", done)
                self.assertIn(text, done.err, done)

    def test_a_trace_that_was_cut_off_is_replayed(self):
        path = everything().write(self.folder / "trace.json")
        path.write_text(path.read_text()[:-300])
        self.assert_ok(ferry("replay", path, "--rounds", "1"))

    def test_needs_the_devices_of_the_trace(self):
        trace = Trace()
        trace.copy(1, DEVICE_AT, HOST_AT, 64)
        trace.lines[-1]["args"]["device"] = 1
        done = self.replay(trace)
        self.assert_code(done, 1)
        self.assertIn("the trace is of 2 devices, and there is 1", done.err, done)
        self.assert_ok(self.replay(trace, "--devices", "cpu:2"))

    def test_names_the_call_that_failed(self):
        done = self.replay(everything(), "--fail", "aclrtMemcpyAsync:1=507899")
        self.assert_code(done, 1)
        self.assertRegex(done.err, r"\Aferry replay: aclrtMemcpyAsync returned 507899", done)

    @plain_builds_only  # what is refused says nothing of sanitizers
    def test_a_product_without_batches_says_so(self):
        done = self.replay(everything(), "--as", "batch", "--soc", "Ascend310P3")
        self.assert_code(done, 1)
        self.assertIn("207000", done.err, done)

    def profile(self):
        """A profile, by a library that exports only AscendCL's functions."""
        path = self.folder / "profile.json"
        if not path.exists():
            library = pathlib.Path(os.environ["TOOLS_ONLY_ACL"])
            done = run(
                os.environ["TOOLS_PROFILE"],
                path,
                FERRY_DEVICES="cpu:1",
                FERRY_MEMORY="32M",
                LD_LIBRARY_PATH=str(library.parent),
            )
            self.assert_ok(done)
        return path

    @plain_builds_only  # the library is not built there
    def test_a_profile_needs_no_function_of_ferry(self):
        for name in ("TOOLS_ONLY_ACL", "TOOLS_PROFILE"):
            symbols = run(READELF, "--dyn-syms", "--wide", os.environ[name]).out
            self.assertIn("aclrtMemcpyBatchAsync", symbols)
            self.assertIsNone(re.search(r"\bferry[A-Z]", symbols), symbols)
        profile = json.loads(self.profile().read_text())
        self.assertEqual(profile["ferry_profile"], 1)
        self.assertTrue(profile["has_batch"])
        lanes = {(lane["direction"], lane["memory"]) for lane in profile["lanes"]}
        self.assertLessEqual({("H2D", "pinned"), ("D2H", "pinned"), ("H2D", "pageable")}, lanes)
        for lane in profile["lanes"]:
            for curve in lane["curves"]:
                for point in curve["points"]:
                    self.assertGreater(point["call_ns"], 0, lane)

    @plain_builds_only
    def test_predicts_on_a_profile(self):
        done = self.replay(everything(), "--on", self.profile(), "--as", "batch", "--json")
        self.assert_ok(done)
        result = json.loads(done.out)
        self.assertTrue(result["predicted"])
        self.assertGreater(result["replayed"]["ns"], 0)
        self.assertGreater(result["batch"]["ns"], 0)
        done = self.replay(everything(), "--on", self.profile())
        self.assert_ok(done)
        self.assertRegex(done.out, r"(?m)^without pauses +recorded +predicted +ratio$", done)

    @plain_builds_only
    def test_bench_writes_the_same(self):
        path = self.folder / "bench.json"
        done = ferry("bench", "--profile", path, "--memory", "32M")
        self.assert_ok(done)
        self.assertIn("ferry replay TRACE --on", done.out)
        self.assertEqual(json.loads(path.read_text()).keys(), json.loads(self.profile().read_text()).keys())
        done = ferry("bench", "--profile", self.folder / "no" / "bench.json")
        self.assert_code(done, 1)
        self.assert_complaint(done, "ferry bench: ", "it cannot be written")

    def test_refuses_profiles_with_one_line(self):
        trace = Trace()
        trace.copy(1, DEVICE_AT, HOST_AT, 64)
        (self.folder / "foreign_profile.json").write_text('{"name": 1}')
        for name in ("missing_profile.json", "foreign_profile.json"):
            with self.subTest(name):
                done = self.replay(trace, "--on", self.folder / name)
                self.assert_code(done, 1)
                self.assertEqual(done.out, "", done)
                self.assert_complaint(done, "ferry replay: ", name)

    def test_wrong_usage(self):
        self.assert_usage(ferry("replay"), "file")
        self.assert_usage(ferry("replay", "x.json", "--as", "loop"), "loop")


if __name__ == "__main__":
    main()
