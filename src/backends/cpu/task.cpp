// SPDX-License-Identifier: Apache-2.0
// Lists and pools of tasks.
#include "backends/cpu/task.h"

#include "base/live_memory.h"

#include <utility>

namespace ferry::cpu {
namespace {

constexpr size_t kMostPlain = 4096;
constexpr size_t kMostRoomy = 8;
// A task that carried a larger batch gives its room back to the system.
constexpr size_t kMostItemsKept = 65536;

// The thread that ran the task last has it in the caches of its core; by the time of the next
// submission it will be here.
void fetch_for_writing(const Task& task) {
  constexpr size_t kLine = 64;
  const char* start = reinterpret_cast<const char*>(&task);
  __builtin_prefetch(start, 1);
  __builtin_prefetch(start + kLine, 1);
}

void* moved(const void* address, uint64_t distance) {
  return reinterpret_cast<void*>(reinterpret_cast<uint64_t>(address) + distance);
}

}  // namespace

void CopyList::assign(std::span<const ferryx_copy> copies) {
  size_ = copies.size();
  if (size_ == 1) {
    one_ = copies.front();
    bytes_ = one_.size;
    return;
  }
  many_.assign(copies.begin(), copies.end());
  bytes_ = 0;
  for (const ferryx_copy& copy : many_)
    bytes_ += copy.size;
}

void CopyList::assign(const ferryx_columns& columns) {
  const uint64_t dst_distance = distance_to_storage(columns.dst);
  const uint64_t src_distance = distance_to_storage(columns.src);
  size_ = columns.count;
  bytes_ = 0;
  if (size_ > 1) many_.resize(size_);
  ferryx_copy* const copies = begin();
  for (size_t i = 0; i < size_; ++i) {
    void* const dst = columns.dsts[i];
    const void* const src = columns.srcs[i];
    copies[i] = {.dst = dst,
                 .src = src,
                 .size = columns.sizes[i],
                 .dst_storage = moved(dst, dst_distance),
                 .src_storage = moved(src, src_distance)};
    bytes_ += columns.sizes[i];
  }
}

TaskList::TaskList(TaskList&& other) noexcept
    : first_(std::exchange(other.first_, nullptr)),
      last_(std::exchange(other.last_, nullptr)),
      size_(std::exchange(other.size_, 0)) {}

TaskList& TaskList::operator=(TaskList&& other) noexcept {
  std::swap(first_, other.first_);
  std::swap(last_, other.last_);
  std::swap(size_, other.size_);
  return *this;
}

TaskList::~TaskList() {
  while (!empty())
    delete pop_front();
}

void TaskList::push_back(Task* task) {
  task->next = nullptr;
  (first_ == nullptr ? first_ : last_->next) = task;
  last_ = task;
  ++size_;
}

Task* TaskList::pop_front() {
  Task* task = first_;
  first_ = task->next;
  if (first_ == nullptr) last_ = nullptr;
  task->next = nullptr;
  --size_;
  return task;
}

TaskList TaskList::take_through(Task* last, uint32_t count) {
  TaskList taken;
  taken.first_ = std::exchange(first_, last->next);
  taken.last_ = last;
  taken.size_ = count;
  last->next = nullptr;
  if (first_ == nullptr) last_ = nullptr;
  size_ -= count;
  return taken;
}

void TaskList::append(TaskList&& other) {
  if (other.empty()) return;
  (first_ == nullptr ? first_ : last_->next) = std::exchange(other.first_, nullptr);
  last_ = std::exchange(other.last_, nullptr);
  size_ += std::exchange(other.size_, 0);
}

TaskList TaskList::take_after(uint32_t count) {
  TaskList kept;
  if (count > 0) {
    Task* last = first_;
    for (uint32_t i = 1; i < count; ++i)
      last = last->next;
    kept = take_through(last, count);
  }
  std::swap(*this, kept);
  return kept;
}

std::unique_ptr<Task> TaskPool::take(size_t items) {
  TaskList& free = items > 1 ? roomy_ : plain_;
  if (free.empty()) return std::make_unique<Task>();
  std::unique_ptr<Task> taken(free.pop_front());
  if (!free.empty()) fetch_for_writing(*free.front());
  return taken;
}

void TaskPool::give_back(TaskList&& tasks) {
  const size_t room = tasks.front()->copies.capacity();
  if (room == 0) {
    if (plain_.size() + tasks.size() <= kMostPlain) plain_.append(std::move(tasks));
  } else if (room <= kMostItemsKept && roomy_.size() < kMostRoomy) {
    roomy_.append(std::move(tasks));
  }
}

}  // namespace ferry::cpu
