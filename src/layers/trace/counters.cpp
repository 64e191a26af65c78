// SPDX-License-Identifier: Apache-2.0
// Samples of counters.
#include "layers/trace/counters.h"

#include <algorithm>

namespace ferry::layers::trace {
namespace {

constexpr int64_t kClosest = 100'000;  // nanoseconds

}  // namespace

void Counters::change(What what, int32_t device, int64_t time, int64_t bytes) {
  if (device < 0 || bytes == 0) return;
  series_[{what, device}].changes.push_back({.time = time, .bytes = bytes});
}

void Counters::end_round(EventList& events) {
  for (auto& [key, series] : series_)
    write(key, series, events);
}

void Counters::write(const std::pair<What, int32_t>& key, Series& series, EventList& events) {
  std::ranges::stable_sort(series.changes, {}, &Change::time);
  for (size_t i = 0; i < series.changes.size(); ++i) {
    series.value += series.changes[i].bytes;
    const bool is_last = i + 1 == series.changes.size();
    if (!is_last && series.changes[i].time - series.last < kClosest) continue;
    // What an earlier round did not know yet comes late.
    series.last = std::max(series.last, series.changes[i].time);
    ferryx_trace_event& event = events.add(FERRYX_TRACE_COUNTER);
    event.begin = event.end = series.last;
    event.device = key.second;
    event.name = key.first == What::kInFlight ? "bytes in flight" : "device memory";
    event.bytes = static_cast<uint64_t>(std::max<int64_t>(series.value, 0));
  }
  series.changes.clear();
}

}  // namespace ferry::layers::trace
