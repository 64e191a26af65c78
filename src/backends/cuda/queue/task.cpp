// SPDX-License-Identifier: Apache-2.0
// Owns work, and validates its addresses against the memory that is live now.
#include "backends/cuda/queue/task.h"

#include "backends/cuda/queue/marker.h"
#include "base/live_memory.h"

#include <algorithm>

namespace ferry::cuda {
namespace {

void* resolve(const void* address, uint64_t size) {
  return live_storage(*services, address, size);
}

std::string not_live(const std::string& name, const void* address, uint64_t size) {
  return ferry::not_live(*services, name, address, size);
}

std::string prepare_rows(ferryx_rows& rows) {
  ferryx_copy& corner = rows.corner;
  const uint64_t dst_span = span_of(rows, rows.dst_pitch);
  const uint64_t src_span = span_of(rows, rows.src_pitch);
  corner.dst_storage = resolve(corner.dst, dst_span);
  if (corner.dst_storage == nullptr) return not_live("dst", corner.dst, dst_span);
  corner.src_storage = resolve(corner.src, src_span);
  if (corner.src_storage == nullptr) return not_live("src", corner.src, src_span);
  return {};
}

std::string check_live(const char* side, const void* address, uint64_t size) {
  return resolve(address, size) != nullptr ? std::string() : not_live(side, address, size);
}

std::string prepare_indirect(const ferryx_indirect& indirect) {
  std::string wrong = check_live("dst", indirect.dst_pointer, sizeof(void*));
  return wrong.empty() ? check_live("src", indirect.src_pointer, sizeof(void*)) : wrong;
}

std::string prepare_fill(ferryx_fill& fill) {
  fill.dst_storage = resolve(fill.dst, fill.size);
  return fill.dst_storage != nullptr ? std::string() : not_live("dst", fill.dst, fill.size);
}

}  // namespace

bool has_storage(const ferryx_copies& copies) {
  return std::all_of(copies.items, copies.items + copies.count, [](const ferryx_copy& copy) {
    return copy.dst_storage != nullptr && copy.src_storage != nullptr;
  });
}

// Columns become copies with unresolved storage: they are held because the queue holds work, or
// because the memory has changed.
Task::Task(const ferryx_work& work)
    : clone_(work.kind == FERRYX_COLUMNS ? WorkClone::as_copies(work) : WorkClone(work)) {
  if (kind() == FERRYX_MARK || kind() == FERRYX_AWAIT) marker().retain();
  if (kind() == FERRYX_SET_FLAG || kind() == FERRYX_TAKE_FLAG) flag().retain();
}

Task::~Task() {
  if (kind() == FERRYX_MARK || kind() == FERRYX_AWAIT) marker().release();
  if (kind() == FERRYX_SET_FLAG || kind() == FERRYX_TAKE_FLAG) flag().release();
}

std::string Task::prepare_copies() {
  const ferryx_copies& copies = payload().copies;
  if (is_resolved(work().epoch, copies)) return {};
  for (size_t i = 0; i < copies.count; ++i) {
    ferryx_copy& copy = clone_.items()[i];
    copy.dst_storage = resolve(copy.dst, copy.size);
    if (copy.dst_storage == nullptr) {
      return not_live(item_name("dst", i, copies.count), copy.dst, copy.size);
    }
    if ((copies.flags & FERRYX_COPY_CAPTURE) != 0) continue;  // the clone owns its source
    copy.src_storage = resolve(copy.src, copy.size);
    if (copy.src_storage == nullptr) {
      return not_live(item_name("src", i, copies.count), copy.src, copy.size);
    }
  }
  return {};
}

std::string Task::prepare() {
  switch (kind()) {
    case FERRYX_COPIES:
      return prepare_copies();
    case FERRYX_ROWS:
      return prepare_rows(clone_.payload().rows);
    case FERRYX_DESCRIBED:
      return check_live("desc", payload().described.descriptor, sizeof(ferryx_descriptor));
    case FERRYX_INDIRECT:
      return prepare_indirect(payload().indirect);
    case FERRYX_FILL:
      return prepare_fill(clone_.payload().fill);
    default:
      return {};
  }
}

}  // namespace ferry::cuda
