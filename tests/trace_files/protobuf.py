# SPDX-License-Identifier: Apache-2.0
"""Decodes Perfetto traces without any library of protobuf or Perfetto.

MESSAGES has the fields of Perfetto's public .proto files that these tests read. Others are an error: the writer uses no
other.
"""

import struct

# Message -> number of the field -> its name, and what it is. "*": repeated.
MESSAGES = {
    "Trace": {1: ("packet", "*TracePacket")},
    "TracePacket": {
        6: ("clock_snapshot", "ClockSnapshot"),
        8: ("timestamp", "number"),
        10: ("trusted_packet_sequence_id", "number"),
        11: ("track_event", "TrackEvent"),
        12: ("interned_data", "InternedData"),
        13: ("sequence_flags", "number"),
        60: ("track_descriptor", "TrackDescriptor"),
    },
    "ClockSnapshot": {1: ("clocks", "*Clock")},
    "Clock": {1: ("clock_id", "number"), 2: ("timestamp", "number")},
    "TrackDescriptor": {
        1: ("uuid", "number"),
        2: ("name", "text"),
        3: ("process", "ProcessDescriptor"),
        4: ("thread", "ThreadDescriptor"),
        5: ("parent_uuid", "number"),
        8: ("counter", "CounterDescriptor"),
    },
    "ProcessDescriptor": {1: ("pid", "number"), 2: ("cmdline", "*text"), 6: ("process_name", "text")},
    "ThreadDescriptor": {1: ("pid", "number"), 2: ("tid", "number"), 5: ("thread_name", "text")},
    "CounterDescriptor": {3: ("unit", "number")},
    "InternedData": {
        1: ("event_categories", "*InternedText"),
        2: ("event_names", "*InternedText"),
        3: ("debug_annotation_names", "*InternedText"),
    },
    "InternedText": {1: ("iid", "number"), 2: ("name", "text")},
    "TrackEvent": {
        3: ("category_iids", "*number"),
        4: ("debug_annotations", "*DebugAnnotation"),
        9: ("type", "number"),
        10: ("name_iid", "number"),
        11: ("track_uuid", "number"),
        23: ("name", "text"),
        30: ("counter_value", "number"),
        47: ("flow_ids", "*fixed"),
    },
    "DebugAnnotation": {
        1: ("name_iid", "number"),
        2: ("bool_value", "bool"),
        3: ("uint_value", "number"),
        4: ("int_value", "signed"),
        5: ("double_value", "double"),
        6: ("string_value", "text"),
        7: ("pointer_value", "number"),
        10: ("name", "text"),
        11: ("dict_entries", "*DebugAnnotation"),
        12: ("array_values", "*DebugAnnotation"),
    },
}


class Truncated(Exception):
    """The data ends inside a field."""


def varint(data, at):
    """A number, and where it ends."""
    value = shift = 0
    while True:
        if at >= len(data):
            raise Truncated
        byte = data[at]
        at += 1
        value |= (byte & 0x7F) << shift
        if byte < 0x80:
            return value, at
        shift += 7


def raw_fields(data):
    """Number, wire type and value of each field."""
    at = 0
    while at < len(data):
        key, at = varint(data, at)
        wire = key & 7
        if wire == 0:
            value, at = varint(data, at)
        else:
            size = 8
            if wire == 2:
                size, at = varint(data, at)
            elif wire != 1:
                raise AssertionError(f"wire type {wire}")
            if at + size > len(data):
                raise Truncated
            value, at = data[at : at + size], at + size
        yield key >> 3, wire, value


def value_of(kind, wire, value):
    """A field of one kind, whose wire type is checked."""
    expected = {"number": 0, "signed": 0, "bool": 0, "fixed": 1, "double": 1}.get(kind, 2)
    if wire != expected:
        raise AssertionError(f"wire type {wire} of {kind}")
    if kind == "number":
        return value
    if kind == "signed":
        return value - (1 << 64) if value >> 63 else value
    if kind == "bool":
        return bool(value)
    if kind == "fixed":
        return struct.unpack("<Q", value)[0]
    if kind == "double":
        return struct.unpack("<d", value)[0]
    if kind == "text":
        return value.decode("utf-8")
    return decode(kind, value)


def decode(message, data):
    """A message as a dict."""
    result = {}
    for number, wire, value in raw_fields(data):
        name, kind = MESSAGES[message][number]
        if kind.startswith("*"):
            result.setdefault(name, []).append(value_of(kind[1:], wire, value))
        else:
            if name in result:
                raise AssertionError(f"{message}.{name} twice")
            result[name] = value_of(kind, wire, value)
    return result


def packets_of(data):
    """The packets of a trace, and whether its last one is incomplete."""
    packets = []
    try:
        for number, wire, value in raw_fields(data):
            if (number, wire) != (1, 2):
                raise AssertionError("not a packet")
            packets.append(decode("TracePacket", value))
    except Truncated:
        return packets, True
    return packets, False
