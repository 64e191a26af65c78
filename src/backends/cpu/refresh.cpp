// SPDX-License-Identifier: Apache-2.0
// Looks up again what lies in mapped memory.
#include "backends/cpu/refresh.h"

#include "backends/cpu/services.h"
#include "backends/cpu/virtual_memory.h"
#include "base/live_memory.h"

namespace ferry::cpu {
namespace {

template <class Pointer>
const void* refresh_side(const void* address, uint64_t size, Pointer& storage) {
  if (!is_mapped_storage(storage)) return nullptr;
  storage = live_storage(*services, address, size);
  return storage == nullptr ? address : nullptr;
}

const void* refresh_rows(ferryx_rows& rows) {
  ferryx_copy& corner = rows.corner;
  const void* gone = refresh_side(corner.dst, span_of(rows, rows.dst_pitch), corner.dst_storage);
  if (gone != nullptr) return gone;
  return refresh_side(corner.src, span_of(rows, rows.src_pitch), corner.src_storage);
}

}  // namespace

const void* refresh(ferryx_copy& copy) {
  const void* const gone = refresh_side(copy.dst, copy.size, copy.dst_storage);
  return gone != nullptr ? gone : refresh_side(copy.src, copy.size, copy.src_storage);
}

const void* refresh(Task& task) {
  if (!has_mapped_storage()) return nullptr;
  if (task.kind == FERRYX_FILL) {
    return refresh_side(task.as.fill.dst, task.as.fill.size, task.as.fill.dst_storage);
  }
  if (task.kind == FERRYX_ROWS) return refresh_rows(task.as.rows);
  for (ferryx_copy& copy : task.copies.items()) {
    if (const void* const gone = refresh(copy)) return gone;
  }
  return nullptr;
}

}  // namespace ferry::cpu
