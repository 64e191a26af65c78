# SPDX-License-Identifier: Apache-2.0
"""Changes of ferry/backend.h that its layout test must let pass, and others that it must find."""

import dataclasses
import typing

from backend_layout import LayoutError


@dataclasses.dataclass
class Change:
    """Replaces `old`, which occurs once, by `new`. The test then answers with `sentence`; None: it passes."""

    what: str
    old: str
    new: str
    sentence: typing.Optional[str] = None
    is_slot: bool = False  # in the list of slots, not in the header

    def plant(self, path):
        text = path.read_text(encoding="utf-8")
        if text.count(self.old) != 1:
            raise LayoutError(f'self-test: {path.name} has "{self.old}" {text.count(self.old)} times, planting "'
                              f'{self.what}" needs it once: adapt layout_changes.py')
        path.write_text(text.replace(self.old, self.new), encoding="utf-8")


def slot_change(what, old, new, sentence=None):
    return Change(what, old, new, sentence, is_slot=True)


NEW_SLOT = "FERRYX_SLOT(int, planted, (ferryx_device* device), {}, \"Text.\")\n"
END = "#undef FERRYX_SLOT\n"
ENABLE = ('FERRYX_SLOT(int, peer_enable, (ferryx_device* device, ferryx_device* peer), REQUIRED,\n'
          '            "Prepares copies from device to peer.")\n')
DISABLE = ('FERRYX_SLOT(int, peer_disable, (ferryx_device* device, ferryx_device* peer), REQUIRED,\n'
           '            "Ends copies from device to peer.")\n')
RETAIN = 'FERRYX_SLOT(void, marker_retain, (ferryx_marker* marker), REQUIRED,\n            "Adds a reference.")\n'

PERMITTED = [
    slot_change("a slot at the end", END, NEW_SLOT.format("OPTIONAL") + END),
    slot_change("another text of a slot", "Adds a reference.", "Adds one reference."),
    slot_change("another name of a parameter", "(ferryx_flag* flag), REQUIRED,\n            \"Clears",
                "(ferryx_flag* which), REQUIRED,\n            \"Clears"),
    Change("a member at the end of a growing structure", "} ferryx_settings;",
           "  uint64_t planted;\n} ferryx_settings;"),
    Change("a kind of work", "FERRYX_KERNEL = 15", "FERRYX_KERNEL = 15, FERRYX_PLANTED = 1000"),
    Change("a payload that has room", "uint64_t room[24];", "uint64_t planted[3];\n  uint64_t room[24];"),
    Change("a capability", "#define FERRYX_CHEAP_CALLOUTS 0x8u",
           "#define FERRYX_CHEAP_CALLOUTS 0x8u\n#define FERRYX_PLANTED 0x10u"),
    Change("a structure", "typedef union ferryx_payload {",
           "typedef struct ferryx_planted {\n  int first;\n} ferryx_planted;\ntypedef union ferryx_payload {"),
    Change("a minor version", "#define FERRYX_ABI_MINOR ", "#define FERRYX_ABI_MINOR 1"),
]

FORBIDDEN = [
    # ---- slots ----
    slot_change("two slots in the other order", ENABLE + DISABLE, DISABLE + ENABLE,
                "ferryx_backend.peer_enable moved from offset 88 to 96"),
    slot_change("a slot in the middle", RETAIN, RETAIN + NEW_SLOT.format("OPTIONAL"),
                "ferryx_backend.marker_release moved from offset 232 to 240"),
    slot_change("a slot that is gone", RETAIN, "", "ferryx_backend.marker_retain is gone"),
    slot_change("another parameter", "(ferryx_queue* queue, int* done)", "(ferryx_queue* queue, int64_t* done)",
                "ferryx_backend.queue_query changed its type from int (*)(ferryx_queue *, int *) to "
                "int (*)(ferryx_queue *, int64_t *)"),
    slot_change("another result", "FERRYX_SLOT(void, queue_destroy,", "FERRYX_SLOT(int, queue_destroy,",
                "ferryx_backend.queue_destroy changed its type from void (*)(ferryx_queue *) to "
                "int (*)(ferryx_queue *)"),
    slot_change("an optional slot that is required now",
                "FERRYX_SLOT(void, close, (ferryx_instance* instance), OPTIONAL",
                "FERRYX_SLOT(void, close, (ferryx_instance* instance), REQUIRED",
                "slot close changed from OPTIONAL to REQUIRED"),
    slot_change("a new slot that is required", END, NEW_SLOT.format("REQUIRED") + END,
                "slot planted is new and REQUIRED, but backends built before do not have it: it must be OPTIONAL"),
    # ---- structures ----
    Change("two members in the other order", "uint64_t dst_pitch;\n  uint64_t src_pitch;",
           "uint64_t src_pitch;\n  uint64_t dst_pitch;", "ferryx_rows.dst_pitch moved from offset 40 to 48"),
    Change("a member that is gone", "  uint64_t epoch; /*", "  /*", "ferryx_work.epoch is gone"),
    Change("another type of the same size", "int32_t stream;       /*", "uint32_t stream;       /*",
           "ferryx_origin.stream changed its type from int32_t to uint32_t"),
    Change("a member more in a structure without struct_size", "  const void* descriptor;",
           "  const void* descriptor;\n  int planted;",
           "ferryx_described.planted is new, but ferryx_described is of fixed size"),
    Change("larger work", "uint64_t room[24];", "uint64_t room[25];",
           "ferryx_work changed its size from 240 to 248 bytes"),
    Change("a member of work itself", "  ferryx_payload as;", "  ferryx_payload as;\n  uint64_t planted;",
           "ferryx_work.planted is new, but ferryx_work is of fixed size"),
    Change("a member in the middle of a growing structure", "  uint64_t seed;", "  uint64_t planted;\n  uint64_t seed;",
           "ferryx_settings.seed moved from offset 40 to 48"),
    Change("a member where there was padding", "} ferryx_physical_settings;",
           "  uint32_t planted;\n} ferryx_physical_settings;",
           "ferryx_physical_settings.planted is new and begins at offset 20, but a struct_size of 24 in use today covers "
           "that: append it, behind explicit padding if need be"),
    Change("a structure that is gone", "typedef struct ferryx_indirect {", "typedef struct ferryx_planted {",
           "ferryx_indirect is gone"),
    # ---- numbers and names ----
    Change("a value of an enumeration", "FERRYX_ROWS = 2,", "FERRYX_ROWS = 22,",
           "FERRYX_ROWS of ferryx_work_kind changed from 2 to 22"),
    Change("a constant that is gone", "FERRYX_SHUFFLE = 2", "FERRYX_PLANTED = 3",
           "FERRYX_SHUFFLE of ferryx_schedule is gone"),
    Change("a value used twice", "FERRYX_SHUFFLE = 2", "FERRYX_SHUFFLE = 2, FERRYX_PLANTED = 1",
           "FERRYX_PLANTED of ferryx_schedule is new and has the value 1 of FERRYX_LAZY"),
    Change("a major version", "#define FERRYX_ABI_MAJOR 2", "#define FERRYX_ABI_MAJOR 3",
           "FERRYX_ABI_MAJOR changed from 2 (int) to 3 (int)"),
    Change("a bit", "#define FERRYX_COPY_RESOLVED 0x2u", "#define FERRYX_COPY_RESOLVED 0x4u",
           "FERRYX_COPY_RESOLVED changed from 2 (unsigned int) to 4 (unsigned int)"),
    Change("the type of a number", "#define FERRYX_ALL UINT32_MAX", "#define FERRYX_ALL 4294967295",
           "FERRYX_ALL changed from 4294967295 (unsigned int) to 4294967295 (long)"),
    Change("the name of the entry", '"ferryx_backend_table"', '"ferryx_planted"',
           "FERRYX_BACKEND_ENTRY changed from ferryx_backend_table (text) to ferryx_planted (text)"),
    Change("the type of a callback", "(*ferryx_device_function)(void* argument, int run)",
           "(*ferryx_device_function)(void* argument)",
           "ferryx_device_function changed its type from void (*)(void *, int) to void (*)(void *)"),
]
