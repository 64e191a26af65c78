// SPDX-License-Identifier: Apache-2.0
// Order across threads, and the reuse of events.
#include "replay/ordering.h"

#include <algorithm>

namespace ferry::tools::replay {

uint32_t Ordering::thread_of(uint64_t recorded) {
  const auto [place, is_new] =
      threads_by_id_.try_emplace(recorded, static_cast<uint32_t>(threads_.size()));
  if (is_new) threads_.emplace_back();
  return place->second;
}

int64_t Ordering::pause_before(uint32_t thread, int64_t begin, int64_t end) {
  Thread& known = threads_[thread];
  // All works of one call have the times of the call.
  const int64_t pause = known.end == INT64_MIN ? 0 : std::max<int64_t>(0, begin - known.end);
  known.end = std::max(known.end, end);
  return pause;
}

void Ordering::enter(Step& step, uint32_t index) {
  Thread& thread = threads_[step.thread];
  thread.device = step.device;
  const auto record = records_.find(step.event);
  if (step.event != kNoIndex && step.action != Action::kRecord && record != records_.end() &&
      record->second.thread != step.thread) {
    step.after_record = record->second.step;
  }
  if (step.stream != kNoIndex) {
    const auto before = streams_.find(step.stream);
    if (before != streams_.end() && before->second.thread != step.thread)
      step.after_stream = before->second.step;
    // A synchronisation submits nothing.
    if (step.action != Action::kSynchronizeStream) streams_[step.stream] = {index, step.thread};
  }
  if (step.action != Action::kRecord) return;
  records_[step.event] = {index, step.thread};
  latest_on_stream_[step.stream] = step.event;
  thread.event = step.event;
}

int32_t Ordering::device_of(uint32_t thread) const {
  return threads_[thread].device;
}

uint32_t Ordering::latest_event(uint32_t stream, uint32_t thread) const {
  if (stream == kNoIndex) return threads_[thread].event;
  const auto event = latest_on_stream_.find(stream);
  return event == latest_on_stream_.end() ? kNoIndex : event->second;
}

uint32_t reuse_events(std::vector<Step>& steps) {
  struct Use {
    uint32_t thread = kNoIndex;
    uint32_t last = 0;
    bool is_shared = false;
  };
  std::unordered_map<uint32_t, Use> uses;
  for (uint32_t i = 0; i < steps.size(); ++i) {
    if (steps[i].event == kNoIndex) continue;
    Use& use = uses[steps[i].event];
    if (use.thread == kNoIndex) use.thread = steps[i].thread;
    if (use.thread != steps[i].thread) use.is_shared = true;
    use.last = i;
  }
  uint32_t count = 0;
  std::unordered_map<uint32_t, uint32_t> given;                  // new numbers of recorded events
  std::unordered_map<uint32_t, std::vector<uint32_t>> returned;  // by thread
  for (uint32_t i = 0; i < steps.size(); ++i) {
    Step& step = steps[i];
    if (step.event == kNoIndex) continue;
    const Use& use = uses[step.event];
    const auto [place, is_new] = given.try_emplace(step.event, count);
    std::vector<uint32_t>& free = returned[step.thread];
    if (is_new && !use.is_shared && !free.empty()) {
      place->second = free.back();
      free.pop_back();
    } else if (is_new) {
      ++count;
    }
    step.event = place->second;
    if (use.last == i && !use.is_shared) free.push_back(step.event);
  }
  return count;
}

}  // namespace ferry::tools::replay
