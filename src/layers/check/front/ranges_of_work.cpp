// SPDX-License-Identifier: Apache-2.0
// The ranges of copies, fills and reductions, and those that a kernel has declared.
#include "layers/check/front/ranges_of_work.h"

#include "layers/check/world/world.h"

#include <cstring>
#include <optional>

namespace ferry::layers::check {
namespace {

constexpr uint64_t kSizeOfZero = uint64_t{4} << 30;  // what a descriptor's length of 0 stands for

Range range_at(const void* address, uint64_t size) {
  const auto begin = reinterpret_cast<uintptr_t>(address);
  return {begin, begin + size};
}

void add_copy(Task& task, const ferryx_copy& copy, uint32_t direction) {
  const bool from_host = direction == FERRYX_HOST_TO_DEVICE || direction == FERRYX_HOST_TO_HOST;
  const bool to_host = direction == FERRYX_DEVICE_TO_HOST || direction == FERRYX_HOST_TO_HOST;
  task.add({.range = range_at(copy.src, copy.size),
            .kind = AccessKind::kRead,
            .is_host = from_host,
            .storage = copy.src_storage});
  task.add({.range = range_at(copy.dst, copy.size),
            .kind = AccessKind::kWrite,
            .is_host = to_host,
            .storage = copy.dst_storage});
}

// Reads a value in device memory; empty when the host cannot access it.
template <class T>
std::optional<T> read_device(World& world, uint64_t address) {
  const Allocation* allocation = world.memory().find(address);
  if (allocation == nullptr || !allocation->is_readable()) return {};
  const uint64_t offset = address - allocation->range().begin;
  if (allocation->memory.size - offset < sizeof(T)) return {};
  T value;
  std::memcpy(&value, static_cast<const char*>(allocation->memory.storage) + offset, sizeof value);
  return value;
}

// The addresses of the copy are in memory that the host cannot read, so it may write anywhere.
void note_hidden_copy(World& world, uint64_t address) {
  const Allocation* allocation = world.memory().find(address);
  if (allocation != nullptr && !allocation->is_readable()) world.memory().mark_all_written();
}

void add_device_copy(Task& task, uint64_t dst, uint64_t src, uint64_t size) {
  add_copy(task,
           {.dst = reinterpret_cast<void*>(dst),
            .src = reinterpret_cast<const void*>(src),
            .size = size,
            .dst_storage = nullptr,
            .src_storage = nullptr},
           FERRYX_DEVICE_TO_DEVICE);
}

// One range per side, from the first byte of the first row to the last byte of the last.
std::shared_ptr<Task> rough_task_of(const ferryx_rows& copy) {
  auto task = std::make_shared<Task>();
  const uint64_t steps = copy.height - 1;
  const auto add = [&](const void* start, uint64_t pitch, AccessKind kind) {
    task->add({.range = range_at(start, steps * pitch + copy.corner.size),
               .kind = kind,
               .is_host = false,
               .storage = nullptr,
               .is_rough = true});
  };
  add(copy.corner.src, copy.src_pitch, AccessKind::kRead);
  add(copy.corner.dst, copy.dst_pitch, AccessKind::kWrite);
  return task;
}

std::shared_ptr<Task> task_of(const ferryx_copies& copies) {
  auto task = std::make_shared<Task>();
  task->is_captured = (copies.flags & FERRYX_COPY_CAPTURE) != 0;
  task->ranges.reserve(2 * copies.count);
  for (size_t i = 0; i < copies.count; ++i)
    add_copy(*task, copies.items[i], copies.direction);
  return task;
}

std::shared_ptr<Task> task_of(const ferryx_rows& copy) {
  auto task = std::make_shared<Task>();
  if (copy.height > kMostFollowedRows) return rough_task_of(copy);
  const auto at = [](const void* start, uint64_t offset) {
    return start == nullptr ? nullptr : const_cast<char*>(static_cast<const char*>(start) + offset);
  };
  for (uint64_t row = 0; row < copy.height; ++row) {
    const uint64_t to = row * copy.dst_pitch;
    const uint64_t from = row * copy.src_pitch;
    add_copy(*task,
             {.dst = at(copy.corner.dst, to),
              .src = at(copy.corner.src, from),
              .size = copy.corner.size,
              .dst_storage = at(copy.corner.dst_storage, to),
              .src_storage = at(copy.corner.src_storage, from)},
             copy.direction);
  }
  return task;
}

std::shared_ptr<Task> task_of(const ferryx_fill& fill) {
  auto task = std::make_shared<Task>();
  task->add({.range = range_at(fill.dst, fill.size),
             .kind = AccessKind::kWrite,
             .is_host = false,
             .storage = fill.dst_storage});
  return task;
}

std::shared_ptr<Task> task_of(const ferryx_value& value) {
  auto task = std::make_shared<Task>();
  task->is_store = true;
  task->add({.range = range_at(value.address, sizeof value.value),
             .kind = AccessKind::kWrite,
             .is_host = false,
             .storage = value.storage});
  return task;
}

std::shared_ptr<Task> task_of(const ferryx_indirect& copy) {
  auto task = std::make_shared<Task>();
  const auto dst_pointer = reinterpret_cast<uint64_t>(copy.dst_pointer);
  const auto src_pointer = reinterpret_cast<uint64_t>(copy.src_pointer);
  for (const uint64_t pointer : {dst_pointer, src_pointer}) {
    task->add({.range = range_at(reinterpret_cast<void*>(pointer), sizeof(uint64_t)),
               .kind = AccessKind::kRead,
               .is_host = false,
               .storage = nullptr});
  }
  task->find_ranges = [=](World& world, Task& own) {
    const auto dst = read_device<uint64_t>(world, dst_pointer);
    const auto src = read_device<uint64_t>(world, src_pointer);
    if (!dst.has_value()) return note_hidden_copy(world, dst_pointer);
    if (!src.has_value()) return note_hidden_copy(world, src_pointer);
    add_device_copy(own, *dst + copy.dst_offset, *src + copy.src_offset, copy.size);
  };
  return task;
}

std::shared_ptr<Task> task_of(const ferryx_described& described) {
  auto task = std::make_shared<Task>();
  const void* const descriptor = described.descriptor;
  task->add({.range = range_at(descriptor, sizeof(ferryx_descriptor)),
             .kind = AccessKind::kRead,
             .is_host = false,
             .storage = nullptr});
  task->find_ranges = [=](World& world, Task& own) {
    const auto address = reinterpret_cast<uint64_t>(descriptor);
    const auto read = read_device<ferryx_descriptor>(world, address);
    if (!read.has_value()) return note_hidden_copy(world, address);
    add_device_copy(own, read->dst, read->src, read->size == 0 ? kSizeOfZero : read->size);
  };
  return task;
}

// The destination is read, too. A tail shorter than an element is left alone.
std::shared_ptr<Task> task_of(const ferryx_reduce& reduce) {
  auto task = std::make_shared<Task>();
  const bool is_byte = reduce.element == FERRYX_INT8;
  const bool is_half = reduce.element == FERRYX_FLOAT16 || reduce.element == FERRYX_BFLOAT16 ||
                       reduce.element == FERRYX_INT16;
  const uint64_t element = is_byte ? 1 : is_half ? 2 : 4;
  ferryx_copy operands = reduce.operands;
  operands.size -= operands.size % element;
  add_copy(*task, operands, FERRYX_DEVICE_TO_DEVICE);
  task->add({.range = range_at(operands.dst, operands.size),
             .kind = AccessKind::kRead,
             .is_host = false,
             .storage = operands.dst_storage});
  return task;
}

// A range that the kernel may write need not be read: only its contents afterwards count.
std::shared_ptr<Task> task_of(const ferryx_kernel& kernel) {
  auto task = std::make_shared<Task>();
  for (uint64_t i = 0; i < kernel.access_count; ++i) {
    const ferryx_access& access = kernel.accesses[i];
    task->add({.range = range_at(access.address, access.size),
               .kind = access.writes != 0 ? AccessKind::kWrite : AccessKind::kRead,
               .is_host = false,
               .storage = nullptr});
  }
  return task;
}

}  // namespace

std::shared_ptr<Task> task_of(const ferryx_work& work) {
  switch (work.kind) {
    case FERRYX_COPIES:
      return task_of(work.as.copies);
    case FERRYX_ROWS:
      return task_of(work.as.rows);
    case FERRYX_DESCRIBED:
      return task_of(work.as.described);
    case FERRYX_INDIRECT:
      return task_of(work.as.indirect);
    case FERRYX_FILL:
      return task_of(work.as.fill);
    case FERRYX_REDUCE:
      return task_of(work.as.reduce);
    case FERRYX_KERNEL:
      return task_of(work.as.kernel);
    case FERRYX_WRITE_VALUE:
      return task_of(work.as.value);
    default:
      return std::make_shared<Task>();
  }
}

}  // namespace ferry::layers::check
