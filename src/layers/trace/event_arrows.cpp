// SPDX-License-Identifier: Apache-2.0
// Finds the other end of an arrow.
#include "layers/trace/event_arrows.h"

#include <algorithm>
#include <cstddef>

namespace ferry::layers::trace {
namespace {

constexpr size_t kMostRecords = 65536;  // whose waits may still come
constexpr size_t kMostWaits = 4096;

}  // namespace

void EventArrows::record_was_reached(uint64_t marker, const End& record) {
  records_[marker] = record;
  record_order_.push_back(marker);
  if (record_order_.size() > kMostRecords) {
    records_.erase(record_order_.front());
    record_order_.pop_front();
  }
  const auto [first, last] = waits_.equal_range(marker);
  for (auto wait = first; wait != last; ++wait)
    write(marker, record, wait->second);
  waits_.erase(first, last);
}

void EventArrows::wait_ended(uint64_t marker, uint64_t work, const End& end) {
  const Wait wait{.work = work, .end = end};
  if (const auto record = records_.find(marker); record != records_.end()) {
    write(marker, record->second, wait);
  } else if (waits_.size() < kMostWaits) {
    waits_.emplace(marker, wait);
  }
}

void EventArrows::write(uint64_t marker, const End& record, const Wait& wait) {
  ferryx_trace_event& event = events_.add(FERRYX_TRACE_EVENT_FLOW);
  event.begin = record.time;
  event.end = std::max(wait.end.time, record.time);
  event.work = wait.work;
  event.marker = marker;
  event.device = record.lane.device;
  event.stream = record.lane.stream;
  event.other_device = wait.end.lane.device;
  event.other_stream = wait.end.lane.stream;
}

}  // namespace ferry::layers::trace
