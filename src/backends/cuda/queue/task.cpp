// SPDX-License-Identifier: Apache-2.0
// Owns work, and validates its addresses against the memory that is live now.
#include "backends/cuda/queue/task.h"

#include "backends/cuda/queue/marker.h"
#include "base/live_memory.h"

#include <algorithm>

namespace ferry::cuda {
namespace {

std::string check_live(const char* side, const void* address, uint64_t size) {
  if (live_storage(*services, address, size) != nullptr) return {};
  return not_live(*services, side, address, size);
}

std::string prepare_indirect(const ferryx_indirect& indirect) {
  std::string wrong = check_live("dst", indirect.dst_pointer, sizeof(void*));
  return wrong.empty() ? check_live("src", indirect.src_pointer, sizeof(void*)) : wrong;
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
  const bool is_captured = (copies.flags & FERRYX_COPY_CAPTURE) != 0;  // the clone owns its source
  return resolve(*services, clone_.items(), copies.count, is_captured);
}

std::string Task::prepare() {
  switch (kind()) {
    case FERRYX_COPIES:
      return prepare_copies();
    case FERRYX_ROWS:
      return resolve(*services, clone_.payload().rows);
    case FERRYX_DESCRIBED:
      return check_live("desc", payload().described.descriptor, sizeof(ferryx_descriptor));
    case FERRYX_INDIRECT:
      return prepare_indirect(payload().indirect);
    case FERRYX_FILL:
      return resolve(*services, clone_.payload().fill);
    default:
      return {};
  }
}

}  // namespace ferry::cuda
