// SPDX-License-Identifier: Apache-2.0
// Looks at each item of a batch once, and asks for the kind of memory where the work does not say.
#include "layers/trace/work_note.h"

#include "base/fault_trap.h"
#include "base/work.h"
#include "layers/trace/services.h"

#include <algorithm>
#include <cstring>
#include <memory>
#include <new>

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace ferry::layers::trace {
namespace {

uint64_t number_of(const void* address) {
  return reinterpret_cast<uint64_t>(address);
}

// The items of a batch, whatever form it has.
class Items {
 public:
  explicit Items(const ferryx_copies& copies) : items_(copies.items), count_(copies.count) {}
  explicit Items(const ferryx_columns& columns) : columns_(&columns), count_(columns.count) {}

  size_t count() const { return count_; }
  ferryx_copy at(size_t i) const {
    if (items_ != nullptr) return items_[i];
    return {.dst = columns_->dsts[i],
            .src = columns_->srcs[i],
            .size = columns_->sizes[i],
            .dst_storage = nullptr,
            .src_storage = nullptr};
  }

 private:
  const ferryx_copy* items_ = nullptr;
  const ferryx_columns* columns_ = nullptr;
  const size_t count_;
};

uint8_t kind_of(const void* address) {
  ferryx_memory found{};
  if (!services().find_memory(address, &found)) return FERRYX_MEMORY_PAGEABLE;
  return static_cast<uint8_t>(found.kind);
}

uint8_t device_of(const void* address) {
  ferryx_memory found{};
  if (!services().find_memory(address, &found)) return kNoPeer;
  return static_cast<uint8_t>(found.device);
}

// The host side says what memory it is; between devices the source says which device it is on.
void note_memory(WorkRecord& record, uint32_t direction, const ferryx_copy& first) {
  record.direction = static_cast<uint8_t>(direction);
  switch (direction) {
    case FERRYX_DEVICE_TO_HOST:
      record.memory = kind_of(first.dst);
      break;
    case FERRYX_DEVICE_TO_DEVICE:
      record.memory = FERRYX_MEMORY_DEVICE;
      record.peer = device_of(first.src);
      break;
    default:
      record.memory = kind_of(first.src);
      break;
  }
}

void note_columns_memory(WorkRecord& record, const ferryx_columns& columns) {
  record.direction = static_cast<uint8_t>(columns.direction);
  const bool is_to_host = columns.direction == FERRYX_DEVICE_TO_HOST;
  record.memory = static_cast<uint8_t>((is_to_host ? columns.dst : columns.src).kind);
  if (columns.direction != FERRYX_DEVICE_TO_DEVICE) return;
  record.memory = FERRYX_MEMORY_DEVICE;
  record.peer = static_cast<uint8_t>(columns.src.device);
}

// What is true of all items together.
BatchPart measure(const Items& items, uint64_t& bytes) {
  BatchPart part{.items = items.count(), .smallest = UINT64_MAX, .largest = 0, .neighbours = 0};
  uint64_t next_dst = 0;
  uint64_t next_src = 0;
  for (size_t i = 0; i < items.count(); ++i) {
    const ferryx_copy item = items.at(i);
    bytes += item.size;
    part.smallest = std::min(part.smallest, item.size);
    part.largest = std::max(part.largest, item.size);
    const uint64_t dst = number_of(item.dst);
    const uint64_t src = number_of(item.src);
    if (i > 0 && dst == next_dst && src == next_src) ++part.neighbours;
    next_dst = dst + item.size;
    next_src = src + item.size;
  }
  return part;
}

// A hash of the bytes; 0 when some cannot be read.
template <class ForEach>
HashPart hash_of(const ForEach& for_each) {
  uint64_t hash = 0;
  const void* const fault = catch_fault([&](FaultTrap& trap) {
    for_each([&](const void* bytes, uint64_t size) {
      trap.expect(bytes, bytes, size);
      hash = XXH3_64bits_withSeed(bytes, size, hash);
    });
  });
  return {fault == nullptr ? std::max<uint64_t>(hash, 1) : 0};
}

void note_items(WorkNote& note, const Items& items, const TraceOptions& options) {
  const WorkRecord& record = note.record();
  if (options.contents && record.direction == FERRYX_HOST_TO_DEVICE) {
    note.add(kHashPart, hash_of([&](const auto& add) {
               for (size_t i = 0; i < items.count(); ++i) {
                 const ferryx_copy item = items.at(i);
                 add(item.src, item.size);
               }
             }));
  }
  if (!options.items || items.count() < 2) return;
  std::unique_ptr<ferryx_copy[]> own(new (std::nothrow) ferryx_copy[items.count()]);
  if (own == nullptr) return;  // the work is recorded without them
  for (size_t i = 0; i < items.count(); ++i)
    own[i] = items.at(i);
  note.add(kItemsPart, ItemsPart{own.release()});
}

void note_batch(WorkNote& note, const Items& items) {
  WorkRecord& record = note.record();
  const ferryx_copy first = items.at(0);
  record.dst = number_of(first.dst);
  record.src = number_of(first.src);
  if (items.count() == 1) {
    record.bytes = first.size;
    return;
  }
  uint64_t bytes = 0;
  const BatchPart part = measure(items, bytes);
  record.bytes = bytes;
  note.add(kBatchPart, part);
}

void note_rows(WorkNote& note, const ferryx_rows& rows) {
  WorkRecord& record = note.record();
  note_memory(record, rows.direction, rows.corner);
  record.bytes = rows.corner.size * rows.height;
  record.dst = number_of(rows.corner.dst);
  record.src = number_of(rows.corner.src);
  note.add(kRowsPart, RowsPart{.rows = rows.height,
                               .width = rows.corner.size,
                               .dst_pitch = rows.dst_pitch,
                               .src_pitch = rows.src_pitch});
}

void note_rows_contents(WorkNote& note, const ferryx_rows& rows) {
  if (rows.direction != FERRYX_HOST_TO_DEVICE) return;
  note.add(kHashPart, hash_of([&](const auto& add) {
             for (uint64_t i = 0; i < rows.height; ++i)
               add(static_cast<const char*>(rows.corner.src) + i * rows.src_pitch,
                   rows.corner.size);
           }));
}

void note_addresses(WorkRecord& record, const void* dst, const void* src, uint64_t bytes) {
  record.dst = number_of(dst);
  record.src = number_of(src);
  record.bytes = bytes;
}

// What the kind of the work has, apart from copies.
void note_other(WorkNote& note, const ferryx_work& work) {
  const ferryx_payload& as = work.as;
  WorkRecord& record = note.record();
  switch (work.kind) {
    case FERRYX_DESCRIBED:
      return note_addresses(record, nullptr, as.described.descriptor, 0);
    case FERRYX_INDIRECT:
      record.direction = FERRYX_DEVICE_TO_DEVICE;
      record.memory = FERRYX_MEMORY_DEVICE;
      return note_addresses(record, as.indirect.dst_pointer, as.indirect.src_pointer,
                            as.indirect.size);
    case FERRYX_FILL:
      return note_addresses(record, as.fill.dst, nullptr, as.fill.size);
    case FERRYX_REDUCE:
      return note_addresses(record, as.reduce.operands.dst, as.reduce.operands.src,
                            as.reduce.operands.size);
    case FERRYX_WRITE_VALUE:
    case FERRYX_AWAIT_VALUE:
      return note_addresses(record, as.value.address, nullptr, 0);
    default:
      return;
  }
}

}  // namespace

WorkNote::WorkNote(const ferryx_queue* queue, const ferryx_work& work) {
  new (room_) WorkRecord{{.size = sizeof(WorkRecord), .type = RecordType::kWork, .parts = 0},
                         0,  // number
                         0,  // submitted
                         work.origin.correlation,
                         queue,
                         work.origin.call,
                         0,  // bytes
                         0,  // dst
                         0,  // src
                         work.origin.task,
                         static_cast<uint8_t>(work.kind),
                         kNoDirection,
                         kNoMemory,
                         kNoPeer};
}

void WorkNote::describe(const ferryx_work& work) {
  switch (work.kind) {
    case FERRYX_COPIES:
      note_memory(record(), work.as.copies.direction, work.as.copies.items[0]);
      return note_batch(*this, Items(work.as.copies));
    case FERRYX_COLUMNS:
      note_columns_memory(record(), work.as.columns);
      return note_batch(*this, Items(work.as.columns));
    case FERRYX_ROWS:
      return note_rows(*this, work.as.rows);
    default:
      return note_other(*this, work);
  }
}

void WorkNote::add_contents(const ferryx_work& work, const TraceOptions& options) {
  if (!options.items && !options.contents) return;
  if (work.kind == FERRYX_COPIES) return note_items(*this, Items(work.as.copies), options);
  if (work.kind == FERRYX_COLUMNS) return note_items(*this, Items(work.as.columns), options);
  if (work.kind == FERRYX_ROWS && options.contents) note_rows_contents(*this, work.as.rows);
}

void WorkNote::add_kernel_name(const char* name) {
  NamePart part{};
  std::strncpy(part.name, name, sizeof part.name - 1);
  add(kNamePart, part);
}

void WorkNote::add_bytes(WorkPart which, const void* part, size_t size) {
  WorkRecord& own = record();
  std::memcpy(room_ + own.size, part, size);
  own.size += static_cast<uint32_t>(size);
  own.parts = static_cast<uint16_t>(own.parts | which);
}

namespace {

// The next part, if the record has it.
template <class Part>
void take(const WorkRecord& record, WorkPart which, const std::byte*& at, const Part*& part) {
  if ((record.parts & which) == 0) return;
  part = reinterpret_cast<const Part*>(at);
  at += sizeof(Part);
}

}  // namespace

WorkParts::WorkParts(const WorkRecord& record) {
  const auto* at = reinterpret_cast<const std::byte*>(&record) + sizeof record;
  take(record, kBatchPart, at, batch);
  take(record, kRowsPart, at, rows);
  take(record, kRunPart, at, run);
  take(record, kExecutedPart, at, executed);
  take(record, kHashPart, at, hash);
  take(record, kItemsPart, at, items);
  take(record, kNamePart, at, name);
  take(record, kMarkerPart, at, marker);
}

}  // namespace ferry::layers::trace
