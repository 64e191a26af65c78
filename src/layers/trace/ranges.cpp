// SPDX-License-Identifier: Apache-2.0
// Events of annotations.
#include "layers/trace/ranges.h"

namespace ferry::layers::trace {
namespace {

ferryx_trace_event& add(EventList& events, ferryx_trace_kind kind, int64_t begin, int64_t end) {
  ferryx_trace_event& event = events.add(kind);
  event.begin = begin;
  event.end = end;
  return event;
}

}  // namespace

void Ranges::take(const AnnotationRecord& record, int64_t start, int32_t device,
                  EventList& events) {
  const char* const name = reinterpret_cast<const char*>(&record) + sizeof record;
  const char* const domain = name + record.name;
  const int64_t time = record.time - start;
  if (record.kind == NoteKind::kPush) {
    open_[{record.thread, domain}].push_back({.begin = time, .name = name, .domain = domain});
    return;
  }
  if (record.kind == NoteKind::kPop) {
    std::vector<Open>& open = open_[{record.thread, domain}];
    if (open.empty()) return;  // it began before the trace
    write(open.back(), record.thread, time, events);
    open.pop_back();
    return;
  }
  constexpr ferryx_trace_kind kKinds[] = {FERRYX_TRACE_MARK, FERRYX_TRACE_RANGE_BEGIN,
                                          FERRYX_TRACE_RANGE_END};
  ferryx_trace_event& event = add(events, kKinds[static_cast<uint32_t>(record.kind)], time, time);
  const bool is_in_stream = record.stream >= 0;
  event.thread = is_in_stream ? 0 : record.thread;
  event.device = is_in_stream ? device : -1;
  event.stream = record.stream;
  event.id = record.id;
  event.name = events.keep(name);
  if (*domain != '\0') event.domain = events.keep(domain);
}

void Ranges::write(const Open& range, uint32_t thread, int64_t end, EventList& events) {
  ferryx_trace_event& event = add(events, FERRYX_TRACE_RANGE, range.begin, end);
  event.thread = thread;
  event.name = events.keep(range.name);
  if (!range.domain.empty()) event.domain = events.keep(range.domain);
}

void Ranges::finish(int64_t start, int64_t end, EventList& events) {
  for (auto& [place, open] : open_) {
    for (; !open.empty(); open.pop_back())
      write(open.back(), place.thread, end - start, events);
  }
}

}  // namespace ferry::layers::trace
