// SPDX-License-Identifier: Apache-2.0
// What threads note in their buffers, and the writer thread reads. Sizes are multiples of 8. Times
// are nanoseconds of CLOCK_MONOTONIC, which is also the clock of spans.
#pragma once

#include "ferry/backend.h"

#include <chrono>
#include <cstddef>
#include <cstdint>

namespace ferry::layers::trace {

enum class RecordType : uint16_t {
  kSkip,  // the rest of the buffer up to its end
  kCall,
  kWork,
  kRefused,
  kSpan,
  kFault,
  kMemory,
  kAnnotation,
  kFinding,
};

struct Record {
  uint32_t size;
  RecordType type;
  uint16_t parts;  // of WorkRecord: what follows
};

// A call that has ended. With the option "stacks" the return addresses of its stack follow,
// `site` first.
struct CallRecord : Record {
  const char* function;
  int64_t begin;
  int64_t end;
  uint64_t site;
  uint64_t first_work;
  uint32_t works;
  int32_t result;
  int32_t stream;
  uint32_t reserved;
  const char* script;  // lives forever; NULL: none
};

constexpr size_t kMostFrames = 64;

// Work that the program has submitted, or executes during the call. What only some works have
// follows in the order of these parts.
enum WorkPart : uint16_t {
  kBatchPart = 1,
  kRowsPart = 2,
  kRunPart = 4,
  kExecutedPart = 8,
  kHashPart = 16,
  kItemsPart = 32,
  kNamePart = 64,
  kMarkerPart = 128,
  kInCall = 256,  // not a part: it was submitted during a call that is recorded
};

struct WorkRecord : Record {
  uint64_t number;
  int64_t submitted;
  uint64_t correlation;
  const ferryx_queue* queue;  // NULL: executed during the call
  const char* call;
  uint64_t bytes;
  uint64_t dst;
  uint64_t src;
  uint32_t task;
  uint8_t kind;       // ferryx_work_kind
  uint8_t direction;  // ferryx_direction; kNoDirection
  uint8_t memory;     // ferryx_memory_kind
  uint8_t peer;       // device of the source, between devices; kNoPeer
};
constexpr uint8_t kNoDirection = 0xFF;
constexpr uint8_t kNoMemory = 0xFF;
constexpr uint8_t kNoPeer = 0xFF;

struct BatchPart {
  uint64_t items;
  uint64_t smallest;
  uint64_t largest;
  uint64_t neighbours;
};
struct RowsPart {
  uint64_t rows;
  uint64_t width;
  uint64_t dst_pitch;
  uint64_t src_pitch;
};
struct RunPart {
  uint64_t model;
  uint64_t run;
};
struct ExecutedPart {
  int64_t begin;
  int64_t end;
  int32_t device;
  int32_t result;
};
struct HashPart {
  uint64_t hash;
};
struct ItemsPart {
  ferryx_copy* items;  // made with new[]; whoever takes the record out frees them
};
struct NamePart {
  char name[96];
};
struct MarkerPart {
  uint64_t marker;
};

// Work that was noted and then refused by the backend.
struct RefusedRecord : Record {
  uint64_t correlation;
  const ferryx_queue* queue;
  uint64_t number;
};

struct SpanRecord : Record {
  const ferryx_queue* queue;
  uint64_t correlation;
  int64_t begin;
  int64_t end;
};

struct FaultRecord : Record {
  uint64_t correlation;
  int64_t time;
  int32_t code;
  uint32_t reserved;
};

struct MemoryRecord : Record {
  const char* what;  // "alloc" and so on
  int64_t time;
  uint64_t address;
  uint64_t size;
  int32_t device;
  uint32_t reserved;
};

enum class NoteKind : uint32_t { kMark, kRangeStart, kRangeEnd, kPush, kPop };

// A mark or the end of a range of the program. The name and the domain follow, each with its zero.
struct AnnotationRecord : Record {
  int64_t time;
  uint64_t id;
  uint32_t thread;
  NoteKind kind;
  int32_t stream;
  uint32_t name;    // bytes, with the zero
  uint32_t domain;  // likewise
  uint32_t reserved;
};

// A finding of the checker. The text follows.
struct FindingRecord : Record {
  int64_t time;
  const char* rule;
  const char* severity;
  uint64_t text;  // bytes
};

inline int64_t now() {
  return std::chrono::nanoseconds(std::chrono::steady_clock::now().time_since_epoch()).count();
}

constexpr size_t rounded(size_t size) {
  return (size + 7) & ~size_t{7};
}

// The records whose parts own memory release it here.
void release(const Record& record);

}  // namespace ferry::layers::trace
