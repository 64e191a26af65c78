// SPDX-License-Identifier: Apache-2.0
// The recorded copies as a value that can be executed, predicted and transformed. Addresses of the
// trace have become regions and offsets; numbers of streams, events and threads count from 0.
#pragma once

#include "trace/trace.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace ferry::tools::replay {

constexpr uint32_t kNoIndex = UINT32_MAX;

enum class Place : uint8_t { kPageable, kPinned, kRegistered, kDevice };

/// One block of memory that a run allocates. All recorded ranges of one place are in one region,
/// without large gaps; ranges that touched or overlapped still do, others do not touch.
struct Region {
  Place place = Place::kPageable;
  int32_t device = 0;  // of kDevice
  uint64_t size = 0;
};

struct Spot {
  uint32_t region = 0;
  uint64_t offset = 0;
};

struct CopyItem {
  Spot dst;
  Spot src;
  uint64_t size = 0;
};

enum class Action : uint8_t {
  kCopy,    // one item
  kBatch,   // items
  kRows,    // one item; its size is the bytes of a row
  kFill,    // one item, of which only dst counts
  kRecord,  // event, stream
  kWait,    // event, stream: the stream waits for the latest record of the event
  kSynchronizeStream,
  kSynchronizeEvent,
  kSynchronizeDevice,
};
constexpr size_t kActions = 9;
constexpr size_t kDirections = 5;

/// One call of the program, or one work that a model has run.
struct Step {
  Action action = Action::kCopy;
  bool is_async = false;  // submitted to `stream`; otherwise done when the call returns
  trace::Direction direction = trace::Direction::kNone;
  trace::Memory memory = trace::Memory::kUnknown;  // of the host side
  uint32_t thread = 0;
  uint32_t stream = kNoIndex;
  uint32_t event = kNoIndex;
  int32_t device = 0;       // of the stream or of the work; kSynchronizeDevice: which one
  uint32_t first_item = 0;  // in Plan::items
  uint32_t items = 0;
  uint64_t rows = 1;  // of kRows
  uint64_t dst_pitch = 0;
  uint64_t src_pitch = 0;
  int64_t pause = 0;  // ns between the end of the thread's step before it and this one
  uint64_t bytes = 0;
  uint64_t work = trace::kNone;  // number in the trace; of the first of several
  // Steps of other threads that must have been submitted before: the record that a wait refers to,
  // and the step before this one on the same stream. Invariant: both are smaller than the index of
  // this step, so that threads never wait for each other in a circle.
  uint32_t after_record = kNoIndex;
  uint32_t after_stream = kNoIndex;
};

struct PlanStream {
  int32_t id = 0;  // as recorded
  int32_t device = 0;
};

struct Plan {
  std::vector<Region> regions;
  std::vector<PlanStream> streams;
  uint32_t events = 0;
  uint32_t threads = 0;
  std::vector<CopyItem> items;
  std::vector<Step> steps;  // as the program made them; each thread's are a subsequence
  int32_t devices = 0;      // number of the highest device + 1

  // What the trace says about the same steps.
  int64_t recorded_total = 0;  // ns from the first step's begin to the last one's end
  int64_t recorded_busy = 0;   // of it: a step's call, or its work, was being executed
  std::array<int64_t, kDirections> recorded_in{};  // of it: a copy in this direction was
  std::map<std::string, uint64_t> skipped;         // what cannot be repeated: how many
  uint64_t invented = 0;  // batches whose items were not recorded: laid out with a gap between them
};

/// Where a step's bytes are, as ranges of its regions.
struct Extent {
  uint32_t region = 0;
  uint64_t begin = 0;
  uint64_t end = 0;
  bool is_written = false;
};
std::vector<Extent> extents_of(const Plan& plan, const Step& step);

/// Bytes moved or set by all steps in one direction; kNone: by fills.
uint64_t bytes_in(const Plan& plan, trace::Direction direction);

/// The same steps without the copies in other directions and without fills.
Plan only(const Plan& plan, trace::Direction direction);

/// `wrong` is one sentence when the trace has nothing to replay; the plan is empty then.
Plan make_plan(const trace::Trace& trace, std::string& wrong);

std::string_view name_of(Action action);

}  // namespace ferry::tools::replay
