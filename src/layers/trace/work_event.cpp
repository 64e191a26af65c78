// SPDX-License-Identifier: Apache-2.0
// Members of events out of the parts of records.
#include "layers/trace/work_event.h"

#include "layers/trace/work_note.h"

namespace ferry::layers::trace {
namespace {

constexpr const char* kDirections[] = {"H2H", "H2D", "D2H", "D2D"};
constexpr const char* kMemory[] = {"pageable",   "device", "pinned",
                                   "registered", "device", "managed"};

}  // namespace

void fill_event(ferryx_trace_event& event, const WorkRecord& work, int64_t start,
                EventList& events) {
  const WorkParts parts(work);
  event.work = work.number;
  event.call = work.call;
  if (work.queue != nullptr) event.task = work.task;
  event.correlation = work.correlation;
  event.work_kind = work.kind;
  event.bytes = work.bytes;
  event.items = 1;
  event.smallest = event.largest = work.bytes;
  event.dst = work.dst;
  event.src = work.src;
  event.submitted = work.submitted - start;
  if (work.direction != kNoDirection) event.direction = kDirections[work.direction];
  if (work.memory != kNoMemory) event.memory = kMemory[work.memory];
  if (work.peer != kNoPeer && work.peer != event.device) event.peer = work.peer;
  if (parts.batch != nullptr) {
    event.items = parts.batch->items;
    event.smallest = parts.batch->smallest;
    event.largest = parts.batch->largest;
    event.neighbours = parts.batch->neighbours;
  }
  if (parts.rows != nullptr) {
    event.items = parts.rows->rows;
    event.smallest = event.largest = event.width = parts.rows->width;
    event.dst_pitch = parts.rows->dst_pitch;
    event.src_pitch = parts.rows->src_pitch;
  }
  if (parts.run != nullptr) {
    event.model = parts.run->model;
    event.run = parts.run->run;
  }
  if (parts.hash != nullptr) event.hash = parts.hash->hash;
  if (parts.marker != nullptr) event.marker = parts.marker->marker;
  if (parts.name != nullptr) event.name = events.keep(parts.name->name);
  if (parts.items != nullptr) {
    event.item_list = parts.items->items;
    events.write();  // while the items are there
  }
}

}  // namespace ferry::layers::trace
