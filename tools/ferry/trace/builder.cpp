// SPDX-License-Identifier: Apache-2.0
// The meaning of the members, as docs/trace_format.md has it.
#include "trace/builder.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

namespace ferry::tools::trace {
namespace {

constexpr uint64_t kFormat = 1;
constexpr uint64_t kFirstDevicePid = 1073741824;
constexpr uint64_t kMostDevices = 1024;
constexpr uint64_t kNegativeStream = uint64_t{1} << 31;

template <class Value, size_t N>
using Names = std::array<std::pair<std::string_view, Value>, N>;

constexpr Names<Kind, 16> kKinds{{{"copy", Kind::kCopy},
                                  {"batch", Kind::kBatch},
                                  {"rows", Kind::kRows},
                                  {"described", Kind::kDescribed},
                                  {"indirect", Kind::kIndirect},
                                  {"fill", Kind::kFill},
                                  {"callout", Kind::kCallout},
                                  {"function", Kind::kFunction},
                                  {"kernel", Kind::kKernel},
                                  {"record", Kind::kRecord},
                                  {"wait", Kind::kWait},
                                  {"notify", Kind::kNotify},
                                  {"take-notify", Kind::kTakeNotify},
                                  {"write-value", Kind::kWriteValue},
                                  {"wait-value", Kind::kWaitValue},
                                  {"reduce", Kind::kReduce}}};
constexpr Names<Direction, 4> kDirections{{{"H2H", Direction::kHostToHost},
                                           {"H2D", Direction::kHostToDevice},
                                           {"D2H", Direction::kDeviceToHost},
                                           {"D2D", Direction::kDeviceToDevice}}};
constexpr Names<Memory, 5> kMemories{{{"pageable", Memory::kPageable},
                                      {"pinned", Memory::kPinned},
                                      {"registered", Memory::kRegistered},
                                      {"managed", Memory::kManaged},
                                      {"device", Memory::kDevice}}};

template <class Value, size_t N>
Value value_of(const Names<Value, N>& names, std::string_view text) {
  for (const auto& [name, value] : names) {
    if (name == text) return value;
  }
  return Value{};
}

std::string string_of(const Members& members, Key key) {
  return std::string(members.text(key));
}

}  // namespace

Builder::Lane Builder::lane_of(const Event& event) {
  const uint64_t pid = event.top.number(Key::kPid, 0);
  const uint64_t tid = event.top.number(Key::kTid, 0);
  if (pid < kFirstDevicePid || pid >= kFirstDevicePid + kMostDevices) return {tid, -1, -1};
  const uint64_t stream = tid > kNegativeStream ? tid - kNegativeStream : tid;
  const auto id = static_cast<int32_t>(stream & (kNegativeStream - 1));
  return {0, static_cast<int32_t>(pid - kFirstDevicePid), tid > kNegativeStream ? -id : id};
}

int64_t Builder::note_time(int64_t time) {
  last_time_ = std::max(last_time_, time);
  return time;
}

std::string Builder::begin(const Event& event) {
  if (event.top.text(Key::kPh) != "M" || event.top.text(Key::kName) != "ferry_trace") {
    return "is not a trace of Ferry: its first event is not ferry_trace";
  }
  const uint64_t format = event.args.number(Key::kFormat, 0);
  if (format != kFormat) {
    return fmt::format("has format {}, and this version of Ferry reads format {}", format, kFormat);
  }
  trace_.ferry = string_of(event.args, Key::kFerry);
  trace_.program = string_of(event.args, Key::kProgram);
  trace_.pid = event.args.number(Key::kPid, 0);
  trace_.started = string_of(event.args, Key::kStarted);
  trace_.soc = string_of(event.args, Key::kSoc);
  trace_.cann = string_of(event.args, Key::kCann);
  trace_.schedule = string_of(event.args, Key::kSchedule);
  trace_.is_checked = event.args.is_true(Key::kCheck);
  trace_.has_items = event.args.is_true(Key::kItems);
  trace_.has_contents = event.args.is_true(Key::kContents);
  for (const auto& [key, value] : event.list) {
    if (key == Key::kArguments) trace_.arguments.emplace_back(value);
  }
  for (size_t i = 0; i < event.rows.size(); ++i) {
    if (event.row_lists[i] != Key::kDevices) continue;
    const Members& row = event.rows[i];
    trace_.devices.push_back({.id = row.small_integer(Key::kId, 0),
                              .kind = string_of(row, Key::kKind),
                              .name = string_of(row, Key::kName),
                              .memory = row.number(Key::kMemory, 0)});
  }
  return {};
}

bool Builder::add(const Event& event) {
  const std::string_view phase = event.top.text(Key::kPh);
  if (phase.size() != 1) return false;
  switch (phase.front()) {
    case 'X':
      return add_slice(event);
    case 's':
      add_flow(event);
      return true;
    case 'f':
      return true;
    case 'C':
      add_sample(event);
      return true;
    case 'i':
      return add_instant(event);
    case 'b':
    case 'e':
      return add_async(event, phase);
    case 'M':
      return add_metadata(event);
    default:
      return false;
  }
}

bool Builder::add_slice(const Event& event) {
  if (!event.top.has(Key::kTs)) return false;
  const std::string_view category = event.top.text(Key::kCat);
  ++kept_;
  if (category == "work") {
    add_work(event);
  } else if (category == "call") {
    add_call(event);
  } else if (category == "range") {
    add_range(event);
  } else {
    --kept_;
    return false;
  }
  return true;
}

void Builder::add_call(const Event& event) {
  const Members& args = event.args;
  Call call;
  call.begin = event.top.nanoseconds(Key::kTs, 0);
  call.end = note_time(call.begin + std::max<int64_t>(0, event.top.nanoseconds(Key::kDur, 0)));
  call.thread = event.top.number(Key::kTid, 0);
  call.function = intern(event.top.text(Key::kName));
  call.result = args.small_integer(Key::kResult, 0);
  call.site = args.number(Key::kSite, 0);
  call.script = intern(args.text(Key::kScript));
  call.stream = args.small_integer(Key::kStream, -1);
  call.first_work = args.number(Key::kWork, kNone);
  if (call.first_work != kNone) {
    call.works = static_cast<uint32_t>(std::min<uint64_t>(args.number(Key::kWorks, 1), UINT32_MAX));
  }
  call.stack = args.number(Key::kStack, 0);
  call.is_unfinished = args.is_true(Key::kUnfinished);
  trace_.calls.push_back(call);
}

void Builder::add_work(const Event& event) {
  const Members& args = event.args;
  const Lane lane = lane_of(event);
  Work work;
  work.number = args.number(Key::kWork, 0);
  work.begin = event.top.nanoseconds(Key::kTs, 0);
  work.end = note_time(work.begin + std::max<int64_t>(0, event.top.nanoseconds(Key::kDur, 0)));
  work.submitted = args.nanoseconds(Key::kSubmitted, work.begin);
  work.correlation = args.number(Key::kCorrelation, 0);
  work.bytes = args.number(Key::kBytes, 0);
  work.items = std::max<uint64_t>(1, args.number(Key::kItems, 1));
  work.smallest = args.number(Key::kSmallest, work.bytes / work.items);
  work.largest = args.number(Key::kLargest, work.bytes / work.items);
  work.neighbours = args.number(Key::kNeighbours, 0);
  work.dst = args.number(Key::kDst, 0);
  work.src = args.number(Key::kSrc, 0);
  work.dst_pitch = args.number(Key::kDstPitch, 0);
  work.src_pitch = args.number(Key::kSrcPitch, 0);
  work.width = args.number(Key::kWidth, 0);
  work.marker = args.number(Key::kMarker, 0);
  work.hash = args.number(Key::kHash, 0);
  work.model = args.number(Key::kModel, kNone);
  work.run = args.number(Key::kRun, kNone);
  work.thread = lane.thread;
  work.task =
      static_cast<uint32_t>(std::min<uint64_t>(args.number(Key::kTask, UINT32_MAX), UINT32_MAX));
  work.stream = args.small_integer(Key::kStream, lane.stream);
  work.device = args.small_integer(Key::kDevice, std::max(lane.device, 0));
  work.peer = args.small_integer(Key::kPeer, -1);
  work.result = args.small_integer(Key::kResult, 0);
  work.name = intern(event.top.text(Key::kName));
  work.function = intern(args.text(Key::kCall));
  work.kind = value_of(kKinds, args.text(Key::kKind));
  work.direction = value_of(kDirections, args.text(Key::kDirection));
  work.memory = value_of(kMemories, args.text(Key::kMemory));
  work.is_unfinished = args.is_true(Key::kUnfinished);
  trace_.works.push_back(work);
  if (!event.list.empty()) add_items(work.number, event);
}

void Builder::add_items(uint64_t work, const Event& event) {
  std::array<std::vector<uint64_t>, 3> columns;
  for (const auto& [key, text] : event.list) {
    uint64_t number = 0;
    parse_number(text, number);
    if (key == Key::kSizes) columns[0].push_back(number);
    if (key == Key::kDsts) columns[1].push_back(number);
    if (key == Key::kSrcs) columns[2].push_back(number);
  }
  const size_t count = std::max({columns[0].size(), columns[1].size(), columns[2].size()});
  for (std::vector<uint64_t>& column : columns)
    column.resize(count);
  std::vector<Item>& items = trace_.items[work];
  items.clear();
  items.reserve(count);
  for (size_t i = 0; i < count; ++i)
    items.push_back({.dst = columns[1][i], .src = columns[2][i], .size = columns[0][i]});
  kept_ += count / 4;
}

void Builder::add_range(const Event& event) {
  const Lane lane = lane_of(event);
  Range range;
  range.begin = event.top.nanoseconds(Key::kTs, 0);
  range.end = note_time(range.begin + std::max<int64_t>(0, event.top.nanoseconds(Key::kDur, 0)));
  range.thread = lane.thread;
  range.device = lane.device;
  range.stream = lane.stream;
  range.name = intern(event.top.text(Key::kName));
  range.domain = intern(event.args.text(Key::kDomain));
  trace_.ranges.push_back(range);
}

bool Builder::add_async(const Event& event, std::string_view phase) {
  if (event.top.text(Key::kCat) != "range") return false;
  const uint64_t id = event.top.number(Key::kId, 0);
  const int64_t time = note_time(event.top.nanoseconds(Key::kTs, 0));
  std::vector<size_t>& open = open_[id];
  if (phase == "b") {
    ++kept_;
    open.push_back(trace_.ranges.size());
    add_range(event);
    trace_.ranges.back().end = -1;
  } else if (!open.empty()) {
    Range& range = trace_.ranges[open.back()];
    range.end = std::max(time, range.begin);
    open.pop_back();
  }
  if (open.empty()) open_.erase(id);
  return true;
}

bool Builder::add_instant(const Event& event) {
  const std::string_view category = event.top.text(Key::kCat);
  const Lane lane = lane_of(event);
  Instant instant;
  instant.time = note_time(event.top.nanoseconds(Key::kTs, 0));
  instant.thread = lane.thread;
  instant.device = lane.device;
  instant.stream = lane.stream;
  instant.name = intern(event.top.text(Key::kName));
  if (category == "mark") {
    instant.what = Instant::What::kMark;
    instant.text = intern(event.args.text(Key::kDomain));
  } else if (category == "finding") {
    instant.what = Instant::What::kFinding;
    instant.text = intern(event.args.text(Key::kText));
    instant.severity = intern(event.args.text(Key::kSeverity));
  } else if (category == "memory") {
    instant.what = Instant::What::kMemory;
    instant.address = event.args.number(Key::kAddress, 0);
    instant.size = event.args.number(Key::kSize, 0);
    instant.device = event.args.small_integer(Key::kDevice, -1);
  } else {
    return false;
  }
  ++kept_;
  trace_.instants.push_back(instant);
  return true;
}

void Builder::add_sample(const Event& event) {
  if (event.top.text(Key::kName) != "device memory") return;
  const Lane lane = lane_of(event);
  if (lane.device < 0) return;
  ++kept_;
  trace_.device_memory[lane.device].push_back(
      {.time = note_time(event.top.nanoseconds(Key::kTs, 0)),
       .bytes = event.args.number(Key::kBytes, 0)});
}

void Builder::add_flow(const Event& event) {
  if (event.top.text(Key::kCat) != "submit") return;
  ++kept_;
  flows_.push_back({.work = event.top.number(Key::kId, 0),
                    .thread = event.top.number(Key::kTid, 0),
                    .time = event.top.nanoseconds(Key::kTs, 0)});
}

bool Builder::add_metadata(const Event& event) {
  const std::string_view name = event.top.text(Key::kName);
  if (name == "ferry_modules") {
    add_modules(event);
  } else if (name == "ferry_stack") {
    add_stack(event);
  } else if (name == "ferry_end") {
    trace_.is_complete = true;
    trace_.dropped = event.args.number(Key::kDropped, 0);
  } else if (name == "thread_name") {
    const Lane lane = lane_of(event);
    if (lane.device < 0) trace_.thread_names[lane.thread] = string_of(event.args, Key::kName);
  }
  return true;
}

void Builder::add_modules(const Event& event) {
  for (size_t i = 0; i < event.rows.size(); ++i) {
    if (event.row_lists[i] != Key::kModules) continue;
    const Members& row = event.rows[i];
    ++kept_;
    trace_.modules.push_back({.path = string_of(row, Key::kPath),
                              .build_id = string_of(row, Key::kBuildId),
                              .begin = row.number(Key::kBegin, 0),
                              .end = row.number(Key::kEnd, 0),
                              .offset = row.number(Key::kOffset, 0)});
  }
}

void Builder::add_stack(const Event& event) {
  ++kept_;
  std::vector<uint64_t>& frames = trace_.stacks[event.args.number(Key::kId, 0)];
  frames.clear();
  for (const auto& [key, text] : event.list) {
    uint64_t address = 0;
    if (key == Key::kFrames && parse_number(text, address)) frames.push_back(address);
  }
  kept_ += frames.size() / 8;
}

void Builder::finish() {
  const auto is_earlier = [](const auto& a, const auto& b) { return a.begin < b.begin; };
  if (!std::is_sorted(trace_.calls.begin(), trace_.calls.end(), is_earlier)) {
    std::stable_sort(trace_.calls.begin(), trace_.calls.end(), is_earlier);
  }
  const auto has_less = [](const Work& a, const Work& b) { return a.number < b.number; };
  if (!std::is_sorted(trace_.works.begin(), trace_.works.end(), has_less)) {
    std::stable_sort(trace_.works.begin(), trace_.works.end(), has_less);
  }
  for (Range& range : trace_.ranges) {
    if (range.end < range.begin) range.end = std::max(last_time_, range.begin);
  }
  link();
}

// The member `work` of a call names its first work only. Others are found by their flows: the call
// on the flow's thread that was running at the flow's time.
void Builder::link() {
  std::vector<Call>& calls = trace_.calls;
  const auto work_of = [this](uint64_t number) -> Work* {
    const auto found =
        std::lower_bound(trace_.works.begin(), trace_.works.end(), number,
                         [](const Work& work, uint64_t wanted) { return work.number < wanted; });
    return found != trace_.works.end() && found->number == number ? &*found : nullptr;
  };
  bool has_all = true;
  for (size_t i = 0; i < calls.size(); ++i) {
    if (calls[i].first_work == kNone) continue;
    if (Work* work = work_of(calls[i].first_work)) work->call_index = static_cast<uint32_t>(i);
    has_all = has_all && calls[i].works <= 1;
  }
  if (has_all) return;
  std::unordered_map<uint64_t, std::vector<uint32_t>> of_thread;  // by begin
  for (size_t i = 0; i < calls.size(); ++i) {
    if (calls[i].works > 1) of_thread[calls[i].thread].push_back(static_cast<uint32_t>(i));
  }
  for (const Flow& flow : flows_) {
    Work* work = work_of(flow.work);
    const auto candidates = of_thread.find(flow.thread);
    if (work == nullptr || work->call_index != UINT32_MAX || candidates == of_thread.end())
      continue;
    const auto after = std::upper_bound(
        candidates->second.begin(), candidates->second.end(), flow.time,
        [&calls](int64_t time, uint32_t index) { return time < calls[index].begin; });
    if (after == candidates->second.begin()) continue;
    const uint32_t index = *std::prev(after);
    if (flow.time <= calls[index].end) work->call_index = index;
  }
}

}  // namespace ferry::tools::trace
