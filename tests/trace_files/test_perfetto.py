# SPDX-License-Identifier: Apache-2.0
"""Perfetto traces: the same events as in JSON, on the same lanes, with the same args and arrows."""

import collections
import gzip
import json
import signal

from protobuf import packets_of
from support import TraceTest, main, needs_protozero, needs_zlib, write_trace

CLOCK = 123456789
HOST = 4242
THREAD = 4243
DEVICES = 1 << 30
BEGIN, END, INSTANT, COUNTER = 1, 2, 3, 4


def plain(annotation, names):
    """The value of a debug annotation."""
    for kind in ("bool_value", "uint_value", "int_value", "double_value", "string_value"):
        if kind in annotation:
            return annotation[kind]
    if "pointer_value" in annotation:
        return hex(annotation["pointer_value"])
    if "array_values" in annotation:
        return [plain(value, names) for value in annotation["array_values"]]
    return {entry["name"]: plain(entry, names) for entry in annotation["dict_entries"]}


class Reader:
    """What a viewer makes of the packets: slices, instants and counters with their lanes."""

    def __init__(self, packets):
        sequences = {}
        self.tracks = {}
        self.events = []
        open_slices = collections.defaultdict(list)
        timed = []
        for packet in packets:
            # Each sequence interns its own texts, from where it says that it begins.
            if packet.get("sequence_flags", 0) & 1:
                sequences[packet["trusted_packet_sequence_id"]] = collections.defaultdict(dict)
            self.names = sequences[packet["trusted_packet_sequence_id"]]
            for kind, texts in packet.get("interned_data", {}).items():
                for text in texts:
                    assert text["iid"] not in self.names[kind]
                    self.names[kind][text["iid"]] = text["name"]
            if "track_descriptor" in packet:
                track = packet["track_descriptor"]
                self.tracks[track["uuid"]] = track
            if "track_event" in packet:
                # Interned texts and tracks come before their first use.
                timed.append((packet["timestamp"] - CLOCK, self.read(packet["track_event"])))
        for time, event in sorted(timed, key=lambda pair: pair[0]):
            stack = open_slices[event["track"]]
            if event["type"] == END:
                assert stack, "an end without a begin"
                begun = stack.pop()
                begun["end"] = time
                begun["flows"] += event["flows"]
                continue
            event["begin"] = time
            self.events.append(event)
            if event["type"] == BEGIN:
                stack.append(event)
        self.unfinished = [event for stack in open_slices.values() for event in stack]

    def read(self, event):
        track = self.tracks[event["track_uuid"]]
        result = {"type": event["type"], "name": "", "track": track["uuid"], "flows": event.get("flow_ids", [])}
        if event["type"] == END:
            return result
        if "name_iid" in event:
            result["name"] = self.names["event_names"][event["name_iid"]]
        result["cat"] = "".join(self.names["event_categories"][i] for i in event.get("category_iids", []))
        result["args"] = {
            self.names["debug_annotation_names"][one["name_iid"]]: plain(one, self.names)
            for one in event.get("debug_annotations", [])
        }
        result["value"] = event.get("counter_value")
        return result

    def lane(self, event):
        """Process and thread of an event."""
        thread = self.tracks[event["track"]].get("thread", {})
        return thread.get("pid"), thread.get("tid")


@needs_protozero
class Perfetto(TraceTest):
    def reader(self):
        packets, is_cut = packets_of(self.write("out.pftrace", "all").read_bytes())
        self.assertFalse(is_cut)
        return Reader(packets)

    def one(self, reader, **members):
        found = [event for event in reader.events if members.items() <= event.items()]
        self.assertEqual(len(found), 1, members)
        return found[0]

    def test_it_has_what_the_json_form_has(self):
        """Every slice and instant: lane, times, name, category and args."""
        expected = []
        for event in json.loads(self.write("out.json", "all").read_text("utf-8")):
            if event["ph"] not in ("X", "i"):
                continue
            begin = round(event["ts"] * 1000)
            end = begin + round(event["dur"] * 1000) if "dur" in event else None
            lane = (event["pid"], event["tid"])
            expected.append((begin, end, lane, event["name"], event["cat"], event["args"]))
        reader = self.reader()
        found = [
            (event["begin"], event.get("end"), reader.lane(event), event["name"], event["cat"], event["args"])
            for event in reader.events
            if reader.lane(event) != (None, None)
        ]
        self.assertGreater(len(expected), 15)

        def order(one):
            return one[0], one[3]

        self.assertEqual(sorted(found, key=order), sorted(expected, key=order))

    def test_tracks_have_names(self):
        reader = self.reader()
        processes = {t["process"]["pid"]: t["process"] for t in reader.tracks.values() if "process" in t}
        names = {pid: process["process_name"] for pid, process in processes.items()}
        self.assertEqual(names, {HOST: "host: prog", DEVICES: "device 0 (cpu)", DEVICES + 1: "device 1 (cuda)"})
        self.assertEqual(processes[HOST]["cmdline"][0], "prog")
        threads = {
            (t["thread"]["pid"], t["thread"]["tid"]): t["thread"].get("thread_name")
            for t in reader.tracks.values()
            if "thread" in t
        }
        self.assertEqual(
            threads,
            {
                (HOST, THREAD): "worker",
                (DEVICES, 3): "stream 3",
                (DEVICES, 4): "stream 4",
                (DEVICES + 1, 9): "stream 9",
            },
        )

    def test_arrows_connect_the_right_pairs(self):
        reader = self.reader()
        ends = collections.defaultdict(list)
        for event in reader.events:
            for flow in event["flows"]:
                ends[flow].append((event["name"], event["args"].get("work")))
        pairs = sorted(pair for pair in ends.values() if len(pair) > 1)
        self.assertEqual(
            pairs,
            [
                # From the call that submitted work 1; from the one that submitted 2 and 3.
                [("aclrtMemcpyAsync", 1), ("H2D 4.0 KiB", 1)],
                [("aclrtMemcpyBatchAsync", 2), ("2D H2D 8 x 256 B", 3)],
                [("aclrtMemcpyBatchAsync", 2), ("batch H2D 3 items, 300 B", 2)],
                # The wait began before the record.
                [("wait", 5), ("record", 4)],
            ],
        )

    def test_a_wait_is_at_the_end_of_its_arrow(self):
        """Viewers order the ends of an arrow by time."""
        packets, _ = packets_of(self.write("out.pftrace", "all").read_bytes())
        flow = 1 << 63 | 5
        at = [(p["timestamp"] - CLOCK, p["track_event"]["type"]) for p in packets
              if flow in p.get("track_event", {}).get("flow_ids", [])]
        self.assertEqual(sorted(at), [(7000, BEGIN), (7200, END)])

    def test_counters_and_ranges(self):
        reader = self.reader()
        counter = self.one(reader, type=COUNTER)
        self.assertEqual((counter["begin"], counter["value"]), (9000, 65536))
        track = reader.tracks[counter["track"]]
        self.assertEqual((track["name"], track["counter"]), ("device memory", {"unit": 3}))
        self.assertEqual(reader.tracks[track["parent_uuid"]]["process"]["pid"], DEVICES + 1)
        across, in_stream = sorted(
            (event for event in reader.events if event["name"] == "across"), key=lambda event: event["begin"]
        )
        self.assertEqual((across["begin"], across["end"], across["cat"]), (9400, 9500, "range"))
        self.assertEqual((in_stream["begin"], in_stream["end"]), (9460, 9520))
        for event, process in ((across, HOST), (in_stream, DEVICES)):
            track = reader.tracks[event["track"]]
            self.assertEqual(track["name"], "ranges")
            self.assertEqual(reader.tracks[track["parent_uuid"]]["process"]["pid"], process)
        # It is open while the other is, so it has a track of its own.
        self.assertEqual([event["name"] for event in reader.unfinished], ["open"])
        self.assertNotEqual(reader.unfinished[0]["track"], across["track"])

    def test_begin_and_end(self):
        reader = self.reader()
        begin = self.one(reader, name="ferry_trace")["args"]
        expected = json.loads(self.write("out.json", "all").read_text("utf-8"))
        self.assertEqual(begin, expected[0]["args"])
        modules = next(event["args"] for event in expected if event["name"] == "ferry_modules")
        self.assertEqual(self.one(reader, name="ferry_modules")["args"], modules)
        self.assertEqual(self.one(reader, name="ferry_end")["args"], {"dropped": 11, "reason": "exit"})

    def test_the_clock_of_the_day_is_known(self):
        packets, _ = packets_of(self.write("out.pftrace", "all").read_bytes())
        clocks = {c["clock_id"]: c["timestamp"] for c in packets[0]["clock_snapshot"]["clocks"]}
        self.assertEqual(clocks, {6: CLOCK, 3: CLOCK, 1: 1763500543123456789})

    def test_many_names_do_not_fill_the_memory(self):
        """A program may make new names for ever; from some number on they are written in full."""
        packets, _ = packets_of(self.write("out.pftrace", "names", 12000).read_bytes())
        interned = sum(len(p.get("interned_data", {}).get("event_names", [])) for p in packets)
        full = [p["track_event"]["name"] for p in packets if "name" in p.get("track_event", {})]
        self.assertEqual(interned, 10_000)
        # All 12,000 and the names of the begin and the end of the trace; the last is not interned any more.
        self.assertEqual(len(full), 12_000 + 2 - 10_000)
        self.assertEqual(full[-2:], ["name 11999", "ferry_end"])

    @needs_zlib
    def test_compressed_is_the_same(self):
        packed = self.write("out.pftrace.gz", "many", 1000).read_bytes()
        self.assertEqual(gzip.decompress(packed), self.write("out.pftrace", "many", 1000).read_bytes())

    def test_what_was_flushed_survives_a_kill(self):
        path = self.folder / "out.pftrace"
        code, _ = write_trace(path, "killed")
        self.assertEqual(code, -signal.SIGKILL)
        packets, _ = packets_of(path.read_bytes())
        reader = Reader([p for p in packets if p])
        numbers = [event["args"]["work"] for event in reader.events if event["cat"] == "work"]
        self.assertGreaterEqual(len(numbers), 3000)
        self.assertEqual(numbers, list(range(1, len(numbers) + 1)))

    def test_what_is_in_progress_is_at_the_end_until_more_comes(self):
        for mode, expected in (("open",), [(1, None), (2, True)]), (("open", "END"), [(1, None), (2, None)]):
            path = self.folder / "open.pftrace"
            self.assertEqual(write_trace(path, *mode), (-signal.SIGKILL, ""))
            packets, is_cut = packets_of(path.read_bytes())
            self.assertFalse(is_cut)
            reader = Reader(packets)
            self.assertEqual(reader.unfinished, [])
            works = [(e["args"]["work"], e["args"].get("unfinished")) for e in reader.events if e["cat"] == "work"]
            self.assertEqual(works, expected)
            calls = [(e["name"], e["begin"], e["end"]) for e in reader.events if e["cat"] == "call"]
            self.assertEqual(calls, [("aclrtSynchronizeStream", 3000, 9000)] if mode == ("open",) else [])


if __name__ == "__main__":
    main()
