// SPDX-License-Identifier: Apache-2.0
// From a trace to a plan: which calls and works are repeated, in which order, and with what memory.
#include "replay/intervals.h"
#include "replay/layout.h"
#include "replay/ordering.h"
#include "replay/plan.h"
#include "replay/work_items.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace ferry::tools::replay {
namespace {

using trace::Call;
using trace::Direction;
using trace::Kind;
using trace::Trace;
using trace::Work;

constexpr uint64_t kMostItems = uint64_t{1} << 26;

// A call or work of the trace that may become a step. A work that was submitted by a recorded call
// has the times of that call.
struct Candidate {
  int64_t begin = 0;
  int64_t end = 0;
  const Work* work = nullptr;
  const Call* call = nullptr;
};

// Works whose kind is among the steps, or nothing.
bool action_of(Kind kind, Action& action) {
  switch (kind) {
    case Kind::kCopy:
      action = Action::kCopy;
      return true;
    case Kind::kBatch:
      action = Action::kBatch;
      return true;
    case Kind::kRows:
      action = Action::kRows;
      return true;
    case Kind::kFill:
      action = Action::kFill;
      return true;
    case Kind::kRecord:
      action = Action::kRecord;
      return true;
    case Kind::kWait:
      action = Action::kWait;
      return true;
    default:
      return false;
  }
}

bool synchronisation_of(std::string_view function, Action& action) {
  if (function.starts_with("aclrtSynchronizeStream")) {
    action = Action::kSynchronizeStream;
  } else if (function.starts_with("aclrtSynchronizeEvent")) {
    action = Action::kSynchronizeEvent;
  } else if (function.starts_with("aclrtSynchronizeDevice")) {
    action = Action::kSynchronizeDevice;
  } else {
    return false;
  }
  return true;
}

// What kind of work a user knows it as.
std::string_view name_of(Kind kind) {
  switch (kind) {
    case Kind::kDescribed:
    case Kind::kIndirect:
      return "copies whose addresses are in device memory";
    case Kind::kCallout:
    case Kind::kFunction:
      return "host functions";
    case Kind::kKernel:
      return "kernels";
    case Kind::kNotify:
    case Kind::kTakeNotify:
      return "notifies";
    case Kind::kWriteValue:
    case Kind::kWaitValue:
      return "writes of values and waits for them";
    case Kind::kReduce:
      return "reductions";
    default:
      return "other work";
  }
}

// A run of a model submits its streams one after the other, so a wait may come before its record.
// In the order of their ends each work comes after all that it waited for, and streams keep theirs;
// of a record its begin counts, because a wait for it may end while it does.
void put_runs_in_order(std::vector<Candidate>& candidates) {
  std::map<std::pair<uint64_t, uint64_t>, std::vector<size_t>> runs;
  for (size_t i = 0; i < candidates.size(); ++i) {
    const Work* const work = candidates[i].work;
    if (work == nullptr || work->run == trace::kNone || candidates[i].call != nullptr) continue;
    runs[{work->model, work->run}].push_back(i);
  }
  for (const auto& [run, places] : runs) {
    std::vector<Candidate> works;
    works.reserve(places.size());
    for (const size_t place : places)
      works.push_back(candidates[place]);
    std::ranges::stable_sort(works, {}, [](const Candidate& each) {
      return each.work->kind == Kind::kRecord ? each.work->begin : each.work->end;
    });
    std::vector<int64_t> times;
    times.reserve(works.size());
    for (const Candidate& each : works)
      times.push_back(each.begin);
    std::ranges::sort(times);
    for (size_t i = 0; i < works.size(); ++i) {
      works[i].begin = works[i].end = times[i];
      candidates[places[i]] = works[i];
    }
  }
}

class Maker {
 public:
  Maker(const Trace& trace, Plan& plan) : trace_(trace), plan_(plan) {}

  // Returns "", or what is wrong.
  std::string make() {
    collect();
    for (const Candidate& candidate : candidates_) {
      if (plan_.items.size() > kMostItems) return "it has more than 67108864 copies";
      add(candidate);
    }
    if (!has_copies_) return "it has no copies that can be repeated";
    if (!layout_.settle(plan_.regions)) return "its copies use more memory than any machine has";
    for (size_t i = 0; i < plan_.items.size(); ++i) {
      plan_.items[i].dst = layout_.spot_of(ranges_[i].first);
      // A fill has no source.
      if (ranges_[i].second.size != 0) plan_.items[i].src = layout_.spot_of(ranges_[i].second);
    }
    plan_.events = reuse_events(plan_.steps);
    note_times();
    return {};
  }

 private:
  void collect() {
    for (const Work& work : trace_.works) {
      const Call* call =
          work.call_index < trace_.calls.size() ? &trace_.calls[work.call_index] : nullptr;
      const int64_t submitted = work.is_during_call() ? work.begin : work.submitted;
      candidates_.push_back({call != nullptr ? call->begin : submitted,
                             call != nullptr ? call->end : submitted, &work, call});
    }
    put_runs_in_order(candidates_);
    for (const Call& call : trace_.calls) {
      Action action{};
      if (call.result == 0 && synchronisation_of(trace_.texts.text_of(call.function), action))
        candidates_.push_back({call.begin, call.end, nullptr, &call});
    }
    std::stable_sort(candidates_.begin(), candidates_.end(),
                     [](const Candidate& a, const Candidate& b) { return a.begin < b.begin; });
  }

  void skip(std::string_view what) { ++plan_.skipped[std::string(what)]; }

  void add(const Candidate& candidate) {
    Step step;
    const size_t items_before = plan_.items.size();
    const bool is_step = candidate.work != nullptr
                             ? read_work(*candidate.work, candidate.call, step)
                             : read_call(*candidate.call, step);
    if (!is_step) return;
    step.first_item = static_cast<uint32_t>(items_before);
    step.items = static_cast<uint32_t>(plan_.items.size() - items_before);
    const uint64_t thread = candidate.call != nullptr   ? candidate.call->thread
                            : candidate.work != nullptr ? candidate.work->thread
                                                        : 0;
    step.thread = order_.thread_of(thread);
    step.pause = order_.pause_before(step.thread, candidate.begin, candidate.end);
    order_.enter(step, static_cast<uint32_t>(plan_.steps.size()));
    plan_.devices = std::max(plan_.devices, step.device + 1);
    plan_.threads = std::max(plan_.threads, step.thread + 1);
    plan_.steps.push_back(step);
    used_.push_back(candidate);
  }

  bool read_work(const Work& work, const Call* call, Step& step) {
    if (!action_of(work.kind, step.action)) {
      skip(name_of(work.kind));
      return false;
    }
    if (work.result != 0) {
      skip("works that failed");
      return false;
    }
    step.work = work.number;
    step.direction = work.direction;
    step.memory = work.memory;
    step.device = std::max(work.device, 0);
    if (work.device > kMostDevices) {
      skip("works of impossible devices");
      return false;
    }
    const bool is_point = step.action == Action::kRecord || step.action == Action::kWait;
    find_stream(work, call, step);
    if (is_point) return step.is_async && read_point(work, step);
    const std::string_view wrong = items_of(work, trace_, step, ranges_);
    if (!wrong.empty()) {
      skip(wrong);
      return false;
    }
    if (step.action == Action::kBatch && !trace_.items.contains(work.number)) ++plan_.invented;
    for (size_t i = plan_.items.size(); i < ranges_.size(); ++i) {
      layout_.add(ranges_[i].first);
      if (ranges_[i].second.size != 0) layout_.add(ranges_[i].second);
      plan_.items.push_back({{}, {}, item_size(step, ranges_[i].first)});
      plan_.devices =
          std::max({plan_.devices, ranges_[i].first.device + 1, ranges_[i].second.device + 1});
    }
    if (step.direction != Direction::kNone) has_copies_ = true;
    return true;
  }

  // The range of rows has all of them.
  static uint64_t item_size(const Step& step, const RecordedRange& dst) {
    return step.action == Action::kRows ? step.bytes / step.rows : dst.size;
  }

  // A copy with pageable memory is executed during the call, though its function is asynchronous.
  void find_stream(const Work& work, const Call* call, Step& step) {
    int32_t id = work.stream;
    if (id < 0) {
      const bool is_async = trace_.texts.text_of(work.function).find("Async") != std::string::npos;
      if (!is_async || work.direction == Direction::kHostToHost) return;
      id = call != nullptr ? call->stream : -1;
    }
    step.is_async = true;
    step.stream = stream_of(id, step.device);
  }

  uint32_t stream_of(int32_t id, int32_t device) {
    const auto [place, is_new] =
        streams_.try_emplace({id, device}, static_cast<uint32_t>(plan_.streams.size()));
    if (is_new) {
      plan_.streams.push_back({id, device});
      stream_by_id_[id] = place->second;
    }
    return place->second;
  }

  bool read_point(const Work& work, Step& step) {
    if (work.marker == 0) return false;
    const auto [place, is_new] =
        events_.try_emplace(work.marker, static_cast<uint32_t>(events_.size()));
    // Its record was before the trace began, or did not fit.
    if (is_new && step.action == Action::kWait) {
      events_.erase(place);
      skip("waits for records that are not in the trace");
      return false;
    }
    step.event = place->second;
    return true;
  }

  bool read_call(const Call& call, Step& step) {
    synchronisation_of(trace_.texts.text_of(call.function), step.action);
    const uint32_t thread = order_.thread_of(call.thread);
    if (step.action == Action::kSynchronizeDevice) {
      step.device = order_.device_of(thread);
      return true;
    }
    const auto stream = stream_by_id_.find(call.stream);
    if (step.action == Action::kSynchronizeStream) {
      if (stream == stream_by_id_.end()) return false;  // nothing of it is repeated
      step.stream = stream->second;
      step.device = plan_.streams[step.stream].device;
      return true;
    }
    step.event =
        order_.latest_event(stream == stream_by_id_.end() ? kNoIndex : stream->second, thread);
    step.device = order_.device_of(thread);
    return step.event != kNoIndex;
  }

  void note_times() {
    Intervals busy;
    std::array<Intervals, kDirections> directions;
    Intervals all;
    for (const Candidate& candidate : used_) {
      busy.add(candidate.begin, candidate.end);
      all.add(candidate.begin, candidate.end);
      if (candidate.work == nullptr || candidate.work->is_unfinished) continue;
      const Work& work = *candidate.work;
      busy.add(work.begin, work.end);
      all.add(work.begin, work.end);
      directions[static_cast<size_t>(work.direction)].add(work.begin, work.end);
    }
    plan_.recorded_total = all.span();
    plan_.recorded_busy = busy.covered();
    for (size_t i = 1; i < kDirections; ++i)
      plan_.recorded_in[i] = directions[i].covered();
  }

  static constexpr int32_t kMostDevices = 1024;
  const Trace& trace_;
  Plan& plan_;
  std::vector<Candidate> candidates_;
  std::vector<Candidate> used_;                                  // those that became steps
  std::vector<std::pair<RecordedRange, RecordedRange>> ranges_;  // of items: dst, src
  Layout layout_;
  Ordering order_;
  std::map<std::pair<int32_t, int32_t>, uint32_t> streams_;  // by id and device
  std::unordered_map<int32_t, uint32_t> stream_by_id_;
  std::unordered_map<uint64_t, uint32_t> events_;  // by marker
  bool has_copies_ = false;
};

}  // namespace

Plan make_plan(const Trace& trace, std::string& wrong) {
  Plan plan;
  wrong = Maker(trace, plan).make();
  return wrong.empty() ? plan : Plan{};
}

}  // namespace ferry::tools::replay
