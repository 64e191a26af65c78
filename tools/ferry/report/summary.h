// SPDX-License-Identifier: Apache-2.0
// What `ferry report` computes from a trace: one value, which the terminal, JSON, the page and the
// advice show. Times are nanoseconds. Lists are ordered as people want to read them, the most
// important first.
#pragma once

#include "trace/trace.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace ferry::tools::report {

/// What large copies of one way reach on this machine.
struct Limit {
  trace::Direction direction = trace::Direction::kNone;
  trace::Memory memory = trace::Memory::kUnknown;
  double gbps = 0;  // 1e9 bytes per second
};

struct Limits {
  std::vector<Limit> ways;
  std::string source;  // "measured now"; "profile FILE"; "": there are none
  std::string reason;  // why there are none

  /// 0: unknown.
  double gbps_of(trace::Direction direction, trace::Memory memory) const;
};

/// Sums over some of the work that moves or sets bytes.
struct Tally {
  uint64_t works = 0;
  uint64_t items = 0;  // copies, counting each of a batch
  uint64_t bytes = 0;
  uint64_t failed = 0;
  int64_t time = 0;      // sum of the execution times
  int64_t busy = 0;      // time in which at least one of the works executed
  int64_t waited = 0;    // sum of the times from submission to begin
  int64_t longest = 0;   // execution time
  int64_t at_limit = 0;  // how long the bytes with a known limit take at it, one after another
  int64_t limited = 0;   // time in which at least one of these works executed

  /// 1e9 bytes per second of busy time; 0 when there was none.
  double gbps() const;
  /// Share of the measured limit that was reached; 0 when there is none. More than 1 is possible:
  /// both directions at once, or copies that stay in the caches.
  double share() const;
};

struct DirectionRow {
  trace::Direction direction = trace::Direction::kNone;  // kNone: bytes set, not copied
  trace::Memory memory = trace::Memory::kUnknown;
  double limit_gbps = 0;  // 0: unknown
  Tally tally;
};

/// Works whose copies have between `from` and 2 * `from` - 1 bytes, a power of two; 0: empty ones.
/// A batch belongs to the class of its mean.
struct SizeRow {
  uint64_t from = 0;
  Tally tally;
};

struct StreamRow {
  int32_t device = 0;
  int32_t stream = -1;   // -1: executed by calls
  Tally tally;           // of all work, also of work that moves nothing
  uint64_t copies = 0;   // works that move or set bytes
  uint64_t others = 0;   // works that move nothing: kernels, functions, records, waits
  int64_t awaiting = 0;  // time in which the stream waited for an event, notify or value
};

/// A place in the program. The file and line are of the call, not of its return address.
struct Place {
  uint64_t address = 0;  // 0: unknown
  std::string function;  // "" unknown
  std::string file;      // "" unknown
  uint32_t line = 0;
  std::string text;  // for people: "load_page transfer.cpp:42", "program+0x1234", "unknown"
};

/// How a call was reached, with the option "stacks" of the trace.
using Stack = std::vector<Place>;  // the innermost first, up to main

struct SiteRow {
  Place place;
  Stack stack;                              // empty: unknown
  trace::TextId function = trace::kNoText;  // that was called
  uint64_t calls = 0;
  uint64_t failed = 0;
  int64_t host = 0;     // time in the calls
  int64_t blocked = 0;  // of that, see Blocked
  Tally tally;          // of the work that the calls submitted or did
};

/// A call that was in progress when the trace ended.
struct OpenCallRow {
  trace::TextId function = trace::kNoText;
  int64_t begin = 0;
  int64_t time = 0;  // until the trace ended
  uint64_t thread = 0;
  int32_t stream = -1;
  Place place;
};

/// Why the host waited in calls.
enum class Block : uint8_t {
  kSynchronize,    // waits for a stream, an event or a device
  kPageableAsync,  // an asynchronous call that executed its work: pageable memory
  kOtherAsync,     // the same for other reasons
  kPageableCopy,   // a synchronous call with pageable memory
  kCopy,           // a synchronous call with other memory
  kModel,          // runs a model and waits
  kAllocation,     // allocates, frees, registers or maps memory
  kSetUp,          // starts or ends the runtime, devices, contexts, streams, events, models
};
constexpr size_t kBlocks = 8;
/// "synchronize"; stable, for machines.
const char* name_of(Block block);
/// "waiting for a stream, event or device"; for people.
const char* words_of(Block block);

struct BlockedRow {
  Block block = Block::kSynchronize;
  uint64_t calls = 0;
  int64_t time = 0;
  int64_t longest = 0;
  Place longest_place;
  trace::TextId longest_function = trace::kNoText;
};

struct StreamPair {
  int32_t first = 0;
  int32_t second = 0;
};

/// How the streams of a device worked together.
struct OverlapRow {
  int32_t device = 0;
  uint64_t streams = 0;           // that executed work
  int64_t span = 0;               // first begin to last end
  std::vector<int64_t> with;      // [n]: time in which n streams executed work
  std::vector<StreamPair> never;  // pairs of busy streams that never worked at the same time
  uint64_t not_compared = 0;      // streams: pairs are found among the 64 busiest ones
};

struct GapRow {
  int32_t device = 0;
  int64_t begin = 0;
  int64_t end = 0;
  uint64_t next_work = trace::kNone;  // its number
  trace::TextId next_name = trace::kNoText;
  int32_t next_stream = -1;
  Place next_place;                 // of the call that submitted it
  bool was_submitted_late = false;  // the next work was submitted after the gap had begun
};

struct FailureRow {
  bool is_work = false;                     // or a call
  trace::TextId function = trace::kNoText;  // that was called
  int32_t result = 0;
  uint64_t count = 0;
  int64_t first = 0;  // when
  Place place;        // of the first
};

struct RangeRow {
  trace::TextId name = trace::kNoText;
  trace::TextId domain = trace::kNoText;
  uint64_t count = 0;
  int64_t total = 0;
  int64_t longest = 0;
};

struct MemoryRow {
  int32_t device = 0;
  uint64_t peak = 0;  // bytes allocated at the same time
};

struct FindingRow {  // of the checker
  trace::TextId rule = trace::kNoText;
  trace::TextId severity = trace::kNoText;
  trace::TextId text = trace::kNoText;  // of the first
  uint64_t count = 0;
};

struct Summary {
  int64_t begin = 0;  // of the first event
  int64_t end = 0;    // of the last one
  uint64_t calls = 0;
  uint64_t threads = 0;
  uint64_t unfinished = 0;  // works
  uint64_t model_runs = 0;
  int64_t in_calls = 0;  // time, of all threads together
  int64_t blocked = 0;   // of that
  Tally copies;          // all that moves or sets bytes
  Limits limits;

  std::vector<DirectionRow> directions;
  std::vector<SizeRow> sizes;  // by size
  std::vector<StreamRow> streams;
  std::vector<OpenCallRow> open_calls;
  std::vector<SiteRow> sites;
  std::vector<BlockedRow> blocks;
  std::vector<OverlapRow> overlaps;
  std::vector<GapRow> gaps;  // at most 100 per device
  std::vector<FailureRow> failures;
  std::vector<RangeRow> ranges;
  std::vector<MemoryRow> memory;
  std::vector<FindingRow> findings;

  int64_t span() const { return end - begin; }
};

/// Names a return address; called once per address. It may leave all members but `text` empty.
using PlaceOf = std::function<Place(uint64_t address)>;

Summary summarize(const trace::Trace& trace, const Limits& limits, const PlaceOf& place_of);

/// "H2D", "D2D"; "set" for kNone.
const char* name_of(trace::Direction direction);
/// "pinned"; "" for kUnknown.
const char* name_of(trace::Memory memory);

}  // namespace ferry::tools::report
