// SPDX-License-Identifier: Apache-2.0
// The interface to libferry_trace.so, the plugin that writes trace files. The library records
// events and passes them on; formats, compression and their libraries are the plugin's. It is C, so
// that the plugin and the library may come from different compilers.
//
// One thread at a time calls a writer. docs/trace_format.md says what each event means.
#pragma once

#include "ferry/backend.h"

#include <stddef.h>
#include <stdint.h>

// NOLINTBEGIN(readability-identifier-naming): names of C, as in ferry/backend.h
extern "C" {

// One event. Texts are NULL when they do not apply; they and the arrays are valid during the call.
// Times are nanoseconds since the start of the trace.
typedef enum ferryx_trace_kind {
  FERRYX_TRACE_CALL = 1,
  FERRYX_TRACE_WORK = 2,
  FERRYX_TRACE_EVENT_FLOW = 4,
  FERRYX_TRACE_COUNTER = 5,
  FERRYX_TRACE_MEMORY = 6,
  FERRYX_TRACE_RANGE = 7,        // nested
  FERRYX_TRACE_RANGE_BEGIN = 8,  // may end on another thread
  FERRYX_TRACE_RANGE_END = 9,
  FERRYX_TRACE_MARK = 10,
  FERRYX_TRACE_FINDING = 11,
  FERRYX_TRACE_THREAD = 12,  // names a lane of the host
  FERRYX_TRACE_DEVICE = 13,  // names a device
  FERRYX_TRACE_STREAM = 14,  // names a lane of a device
  FERRYX_TRACE_STACK = 15    // a stack that calls refer to
} ferryx_trace_kind;

#define FERRYX_TRACE_NONE UINT64_MAX

typedef struct ferryx_trace_event {
  uint32_t struct_size;
  uint32_t kind;  // ferryx_trace_kind
  int64_t begin;
  int64_t end;
  uint64_t thread;   // of the host; 0: on the lane of `device` and `stream`
  int32_t device;    // -1: none
  int32_t stream;    // -1: none
  const char* name;  // NULL for work: the writer makes it from the other members
  int32_t result;
  uint32_t reserved;

  // calls
  uint64_t site;
  const char* script;
  uint64_t works;          // how many it has submitted
  uint64_t stack;          // number of a stack; 0: none. Also of the stack itself
  const uint64_t* frames;  // of a stack: return addresses, the innermost first
  size_t frame_count;

  // work; `work` also for calls (the first) and flows
  uint64_t work;  // 0: none
  const char* call;
  uint64_t task;  // FERRYX_TRACE_NONE: none
  uint64_t correlation;
  uint32_t work_kind;   // ferryx_work_kind
  uint32_t unfinished;  // also of calls
  uint64_t bytes;       // also of counters and memory
  uint64_t items;
  uint64_t smallest;
  uint64_t largest;
  uint64_t neighbours;
  const char* direction;  // "H2D"
  const char* memory;     // "pinned"
  uint64_t dst;           // also the address of memory
  uint64_t src;
  uint64_t dst_pitch;
  uint64_t src_pitch;
  uint64_t width;
  int32_t peer;  // -1: none
  uint32_t reserved2;
  uint64_t marker;  // 0: none; also of event flows
  int64_t submitted;
  uint64_t submitter;  // thread; 0: none. An arrow leads from there, at `submitted`, to the work
  uint64_t model;      // FERRYX_TRACE_NONE: none
  uint64_t run;        // likewise
  uint64_t hash;       // 0: none
  const ferryx_copy* item_list;  // with the option "items": `items` of them
  // `begin` and `end` of an event flow are the two times; this is the other end's lane.
  int32_t other_device;
  int32_t other_stream;

  // ranges, marks and findings
  uint64_t id;
  const char* domain;
  const char* severity;
  const char* text;
} ferryx_trace_event;

typedef struct ferryx_trace_device {
  int32_t id;
  const char* kind;
  const char* name;
  uint64_t memory;
} ferryx_trace_device;

typedef struct ferryx_trace_module {
  const char* path;
  const char* build_id;
  uint64_t begin;
  uint64_t end;
  uint64_t offset;
} ferryx_trace_module;

typedef struct ferryx_trace_header {
  uint32_t struct_size;
  const char* ferry;
  const char* program;
  const char* const* arguments;  // ends with NULL
  uint64_t pid;
  uint64_t clock;   // CLOCK_MONOTONIC of time 0
  int64_t started;  // nanoseconds since 1970 of time 0
  const ferryx_trace_device* devices;
  size_t device_count;
  const char* soc;
  const char* cann;
  const char* schedule;
  uint32_t check;
  uint32_t has_items;
  uint32_t has_contents;
} ferryx_trace_header;

typedef struct ferryx_trace_writer ferryx_trace_writer;

// Room for a text of a call that leaves no writer. A longer text is cut off.
typedef struct ferryx_trace_text {
  char text[1024];
} ferryx_trace_text;

// Functions that return text return NULL, or what is wrong: the rest of a sentence about the file,
// in the caller's room or valid until the next call for the writer. After a failed write the writer
// only fails.
typedef struct ferryx_trace_formats {
  uint32_t struct_size;
  // Whether a trace can be written there; changes nothing and creates nothing.
  const char* (*check)(const char* path, ferryx_trace_text* room);
  // Opens or creates the file or folder; what was there is lost.
  const char* (*open)(const char* path, const ferryx_trace_header* header,
                      ferryx_trace_writer** writer, ferryx_trace_text* room);
  const char* (*write)(ferryx_trace_writer* writer, const ferryx_trace_event* events, size_t count);
  const char* (*modules)(ferryx_trace_writer* writer, const ferryx_trace_module* modules,
                         size_t count);
  // What was written so far is in the file and survives the process.
  const char* (*flush)(ferryx_trace_writer* writer);
  // After a flush: adds events of what is in progress. They survive the process, too, but the next
  // call of another of these functions takes them out of the file again.
  const char* (*write_unfinished)(ferryx_trace_writer* writer, const ferryx_trace_event* events,
                                  size_t count);
  // Ends the file and frees the writer.
  const char* (*close)(ferryx_trace_writer* writer, uint64_t dropped, const char* reason,
                       ferryx_trace_text* room);
} ferryx_trace_formats;

typedef const ferryx_trace_formats* (*ferryx_trace_entry)(void);

}  // extern "C"
// NOLINTEND(readability-identifier-naming)

// The number changes with the interface.
#define FERRYX_TRACE_ENTRY "ferryx_trace_formats_2"
