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

constexpr size_t kMostOpen = 65536;

ferryx_trace_event& add_at(EventList& events, ferryx_trace_kind kind,
                           const AnnotationRecord& record, uint32_t thread, int32_t device,
                           int64_t time) {
  ferryx_trace_event& event = add(events, kind, time, time);
  event.thread = thread;
  event.device = device;
  event.stream = record.stream;
  event.id = record.id;
  return event;
}

const char* name_of(const AnnotationRecord& record) {
  return reinterpret_cast<const char*>(&record) + sizeof record;
}

const char* domain_of(const AnnotationRecord& record) {
  return name_of(record) + record.name;
}

void write_text(ferryx_trace_event& event, const AnnotationRecord& record, EventList& events) {
  event.name = events.keep(name_of(record));
  if (*domain_of(record) != '\0') event.domain = events.keep(domain_of(record));
}

}  // namespace

void Ranges::take(const AnnotationRecord& record, int64_t start, int32_t device,
                  EventList& events) {
  const char* const name = name_of(record);
  const char* const domain = domain_of(record);
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
  const bool is_in_stream = record.stream >= 0;
  const End place{.thread = is_in_stream ? 0 : record.thread,
                  .device = is_in_stream ? device : -1,
                  .time = time};
  if (record.kind == NoteKind::kRangeStart) return begin(record, place, events);
  if (record.kind == NoteKind::kRangeEnd) {
    const Key key{record.stream, record.id};
    if (begun_.erase(key) != 0) return write_end(key, place, events);
    if (early_ends_.size() < kMostOpen) early_ends_.insert_or_assign(key, place);
    return;
  }
  write_text(add_at(events, FERRYX_TRACE_MARK, record, place.thread, place.device, time), record,
             events);
}

void Ranges::begin(const AnnotationRecord& record, const End& place, EventList& events) {
  const Key key{record.stream, record.id};
  // A step may begin again without an end.
  if (begun_.erase(key) != 0) write_end(key, place, events);
  if (begun_.size() >= kMostOpen) {
    ++dropped_;
    return;
  }
  write_text(
      add_at(events, FERRYX_TRACE_RANGE_BEGIN, record, place.thread, place.device, place.time),
      record, events);
  const auto early = early_ends_.find(key);
  const bool has_ended = early != early_ends_.end() && early->second.time >= place.time;
  if (has_ended) {
    write_end(key, early->second, events);
  } else {
    begun_.emplace(key, place);
  }
  if (early != early_ends_.end()) early_ends_.erase(early);
}

void Ranges::write(const Open& range, uint32_t thread, int64_t end, EventList& events) {
  ferryx_trace_event& event = add(events, FERRYX_TRACE_RANGE, range.begin, end);
  event.thread = thread;
  event.name = events.keep(range.name);
  if (!range.domain.empty()) event.domain = events.keep(range.domain);
}

void Ranges::write_end(const Key& key, const End& end, EventList& events) {
  ferryx_trace_event& event = add(events, FERRYX_TRACE_RANGE_END, end.time, end.time);
  event.thread = end.thread;
  event.device = end.device;
  event.stream = key.stream;
  event.id = key.id;
}

void Ranges::write_open(int64_t start, int64_t end, EventList& events) const {
  for (const auto& [place, open] : open_) {
    for (const Open& range : open)
      write(range, place.thread, end - start, events);
  }
}

void Ranges::finish(int64_t start, int64_t end, EventList& events) {
  write_open(start, end, events);
  open_.clear();
  for (const auto& [key, begun] : begun_)
    write_end(key, {.thread = begun.thread, .device = begun.device, .time = end - start}, events);
  begun_.clear();
}

}  // namespace ferry::layers::trace
