// SPDX-License-Identifier: Apache-2.0
// Collects events and hands them to the sink.
#include "layers/trace/event_list.h"

#include <utility>

namespace ferry::layers::trace {

ferryx_trace_event& EventList::add(ferryx_trace_kind kind) {
  if (events_.size() == kMost) write();
  ferryx_trace_event event{};
  event.struct_size = sizeof event;
  event.kind = static_cast<uint32_t>(kind);
  event.device = event.stream = event.peer = -1;
  event.other_device = event.other_stream = -1;
  event.task = event.model = event.run = FERRYX_TRACE_NONE;
  return events_.emplace_back(event);
}

const char* EventList::keep(std::string_view text) {
  return texts_.emplace_back(text).c_str();
}

void EventList::write() {
  if (problem_.empty() && !events_.empty()) {
    problem_ = stay_ == Stay::kForGood ? sink_.write(events_) : sink_.write_unfinished(events_);
  }
  events_.clear();
  texts_.clear();
}

void EventList::fail(std::string problem) {
  if (problem_.empty()) problem_ = std::move(problem);
}

}  // namespace ferry::layers::trace
