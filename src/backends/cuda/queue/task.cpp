// SPDX-License-Identifier: Apache-2.0
// Making tasks, and judging their addresses against the memory that is live now.
#include "backends/cuda/queue/task.h"

#include "backends/cuda/plugin/host.h"
#include "backends/cuda/queue/marker.h"
#include "base/live_memory.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace ferry::cuda {
namespace {

void* resolve(const void* address, uint64_t size) {
  return live_storage(*host, address, size);
}

std::string not_live(const std::string& name, const void* address, uint64_t size) {
  return ferry::not_live(*host, name, address, size);
}

std::string prepare_copies(Task& task) {
  if (is_resolved(task.origin, task.copies())) return {};
  for (size_t i = 0; i < task.items.size(); ++i) {
    ferryx_copy& copy = task.items[i];
    copy.dst_storage = resolve(copy.dst, copy.size);
    if (copy.dst_storage == nullptr) {
      return not_live(item_name("dst", i, task.items.size()), copy.dst, copy.size);
    }
    if (task.captured != nullptr) continue;  // its source is ours
    copy.src_storage = resolve(copy.src, copy.size);
    if (copy.src_storage == nullptr) {
      return not_live(item_name("src", i, task.items.size()), copy.src, copy.size);
    }
  }
  return {};
}

std::string prepare_rows(ferryx_copy_2d& rows) {
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

std::string prepare_indirect(const ferryx_indirect_copy& indirect) {
  std::string wrong = check_live("dst", indirect.dst_pointer, sizeof(void*));
  return wrong.empty() ? check_live("src", indirect.src_pointer, sizeof(void*)) : wrong;
}

std::string prepare_fill(ferryx_fill& fill) {
  fill.dst_storage = resolve(fill.dst, fill.size);
  return fill.dst_storage != nullptr ? std::string() : not_live("dst", fill.dst, fill.size);
}

void capture(Task& task) {
  ferryx_copy& only = task.items.front();
  task.captured = std::make_unique<char[]>(only.size);
  std::memcpy(task.captured.get(), only.src_storage, only.size);
  only.src_storage = task.captured.get();
}

}  // namespace

ferryx_copies Task::copies() const {
  return {.items = items.data(),
          .count = items.size(),
          .direction = direction,
          .flags = captured != nullptr ? FERRYX_COPY_CAPTURE : 0};
}

std::unique_ptr<Task> make_copies(const ferryx_task& origin, const ferryx_copies& copies) {
  auto task = std::make_unique<Task>();
  task->kind = TaskKind::kCopies;
  task->origin = origin;
  task->items.assign(copies.items, copies.items + copies.count);
  task->direction = copies.direction;
  if ((copies.flags & FERRYX_COPY_CAPTURE) != 0) capture(*task);
  return task;
}

// Where everything lies is looked up again: the task has waited.
std::unique_ptr<Task> make_copies(const ferryx_task& origin, const ferryx_columns& columns) {
  auto task = std::make_unique<Task>();
  task->kind = TaskKind::kCopies;
  task->origin = origin;
  task->direction = columns.direction;
  task->items.reserve(columns.count);
  for (size_t i = 0; i < columns.count; ++i) {
    task->items.push_back({.dst = columns.dsts[i],
                           .src = columns.srcs[i],
                           .size = columns.sizes[i],
                           .dst_storage = nullptr,
                           .src_storage = nullptr});
  }
  return task;
}

bool is_work(TaskKind kind) {
  switch (kind) {
    case TaskKind::kCopies:
    case TaskKind::kCopy2d:
    case TaskKind::kDescribed:
    case TaskKind::kIndirect:
    case TaskKind::kFill:
      return true;
    default:
      return false;
  }
}

void let_go(Task& task) {
  if (task.marker != nullptr) std::exchange(task.marker, nullptr)->release();
  if (task.flag != nullptr) std::exchange(task.flag, nullptr)->release();
}

bool is_resolved(const ferryx_task& origin, const ferryx_copies& copies) {
  return origin.epoch == host->memory_epoch() &&
         ((copies.flags & FERRYX_COPY_RESOLVED) != 0 ||
          std::all_of(copies.items, copies.items + copies.count, [](const ferryx_copy& copy) {
            return copy.dst_storage != nullptr && copy.src_storage != nullptr;
          }));
}

bool is_resolved(const ferryx_task& origin, const ferryx_columns& /*columns*/) {
  return origin.epoch == host->memory_epoch();
}

std::string prepare(Task& task) {
  switch (task.kind) {
    case TaskKind::kCopies:
      return prepare_copies(task);
    case TaskKind::kCopy2d:
      return prepare_rows(task.rows);
    case TaskKind::kDescribed:
      return check_live("desc", task.descriptor, sizeof(ferryx_descriptor));
    case TaskKind::kIndirect:
      return prepare_indirect(task.indirect);
    case TaskKind::kFill:
      return prepare_fill(task.fill);
    default:
      return {};
  }
}

}  // namespace ferry::cuda
