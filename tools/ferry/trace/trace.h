// SPDX-License-Identifier: Apache-2.0
// A trace in memory, as report, advice and replay use it. docs/trace_format.md describes the file.
// Times are nanoseconds since the start of the trace. Texts are numbers of Texts: most of them
// occur very often. Members that the file lacks keep their defaults.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace ferry::tools::trace {

using TextId = uint32_t;
constexpr TextId kNoText = 0;  // ""
constexpr uint64_t kNone = UINT64_MAX;

class Texts {
 public:
  Texts() { id_of(""); }
  Texts(Texts&&) = default;  // the texts stay where they are
  Texts& operator=(Texts&&) = default;
  Texts(const Texts&) = delete;  // the keys of the copy would point into the original
  Texts& operator=(const Texts&) = delete;
  ~Texts() = default;
  TextId id_of(std::string_view text);
  const std::string& text_of(TextId id) const { return texts_[id]; }
  // kNoText when it does not occur.
  TextId find(std::string_view text) const;

 private:
  std::deque<std::string> texts_;  // the map's keys point into it
  std::unordered_map<std::string_view, TextId> ids_;
};

enum class Kind : uint8_t {
  kOther,
  kCopy,
  kBatch,
  kRows,
  kDescribed,
  kIndirect,
  kFill,
  kCallout,
  kFunction,
  kKernel,
  kRecord,
  kWait,
  kNotify,
  kTakeNotify,
  kWriteValue,
  kWaitValue,
  kReduce,
};
enum class Direction : uint8_t {
  kNone,
  kHostToHost,
  kHostToDevice,
  kDeviceToHost,
  kDeviceToDevice
};
enum class Memory : uint8_t { kUnknown, kPageable, kPinned, kRegistered, kManaged, kDevice };

struct Call {
  int64_t begin = 0;
  int64_t end = 0;
  uint64_t thread = 0;
  TextId function = kNoText;
  int32_t result = 0;
  uint64_t site = 0;            // address; 0: unknown
  TextId script = kNoText;      // frame of an interpreter
  int32_t stream = -1;          // -1: none
  uint64_t first_work = kNone;  // number of the work
  uint32_t works = 0;
  uint64_t stack = 0;          // number; 0: none
  bool is_unfinished = false;  // it was in progress when the trace ended
};

struct Item {
  uint64_t dst = 0;
  uint64_t src = 0;
  uint64_t size = 0;
};

struct Work {
  uint64_t number = 0;
  int64_t submitted = 0;
  int64_t begin = 0;
  int64_t end = 0;
  uint64_t correlation = 0;
  uint64_t bytes = 0;
  uint64_t items = 1;
  uint64_t smallest = 0;  // of an item; both equal to the size when there is one
  uint64_t largest = 0;
  uint64_t neighbours = 0;
  uint64_t dst = 0;
  uint64_t src = 0;
  uint64_t dst_pitch = 0;
  uint64_t src_pitch = 0;
  uint64_t width = 0;
  uint64_t marker = 0;  // 0: none
  uint64_t hash = 0;    // 0: none
  uint64_t model = kNone;
  uint64_t run = kNone;
  uint64_t thread = 0;               // of work during a call
  uint32_t call_index = UINT32_MAX;  // in Trace::calls; UINT32_MAX: not in the trace
  uint32_t task = UINT32_MAX;
  int32_t stream = -1;  // -1: executed during the call
  int32_t device = 0;
  int32_t peer = -1;
  int32_t result = 0;
  TextId name = kNoText;
  TextId function = kNoText;
  Kind kind = Kind::kOther;
  Direction direction = Direction::kNone;
  Memory memory = Memory::kUnknown;
  bool is_unfinished = false;

  bool moves_bytes() const { return direction != Direction::kNone; }
  bool is_during_call() const { return stream < 0; }
};

struct Range {  // of the program
  int64_t begin = 0;
  int64_t end = 0;
  uint64_t thread = 0;
  int32_t device = -1;  // of a range in a stream
  int32_t stream = -1;
  TextId name = kNoText;
  TextId domain = kNoText;
};

// Marks, findings and changes of memory.
struct Instant {
  enum class What : uint8_t { kMark, kFinding, kMemory };
  What what = What::kMark;
  int64_t time = 0;
  uint64_t thread = 0;
  TextId name = kNoText;
  TextId text = kNoText;  // domain of a mark, text of a finding
  TextId severity = kNoText;
  uint64_t address = 0;  // of memory
  uint64_t size = 0;
  int32_t device = -1;
  int32_t stream = -1;
};

struct Module {
  std::string path;
  std::string build_id;
  uint64_t begin = 0;
  uint64_t end = 0;
  uint64_t offset = 0;
};

struct Device {
  int32_t id = 0;
  std::string kind;
  std::string name;
  uint64_t memory = 0;
};

struct Sample {  // of a counter
  int64_t time = 0;
  uint64_t bytes = 0;
};

struct Trace {
  // From ferry_trace.
  std::string ferry;
  std::string program;
  std::vector<std::string> arguments;
  uint64_t pid = 0;
  std::string started;
  std::string soc;
  std::string cann;
  std::string schedule;
  bool is_checked = false;
  bool has_items = false;
  bool has_contents = false;
  std::vector<Device> devices;

  Texts texts;
  std::vector<Call> calls;                                // by begin
  std::vector<Work> works;                                // by number
  std::unordered_map<uint64_t, std::vector<Item>> items;  // by number of the work, with the option
  std::unordered_map<uint64_t, std::vector<uint64_t>> stacks;  // return addresses by number
  std::vector<Range> ranges;
  std::vector<Instant> instants;
  std::vector<Module> modules;
  std::map<int32_t, std::vector<Sample>> device_memory;
  std::map<uint64_t, std::string> thread_names;

  // From ferry_end. A trace without it was cut off.
  bool is_complete = false;
  uint64_t dropped = 0;
  uint64_t lost_lines = 0;  // incomplete or foreign lines
};

}  // namespace ferry::tools::trace
