// SPDX-License-Identifier: Apache-2.0
// Lists and pools of tasks.
#include "backends/cpu/task.h"

#include <utility>

namespace ferry::cpu {
namespace {

constexpr size_t kMostPooled = 4096;
// A task that carried a larger batch gives its room back to the system.
constexpr size_t kMostItemsKept = 65536;

}  // namespace

void CopyList::assign(std::span<const ferryx_copy> copies) {
  size_ = copies.size();
  if (size_ == 1) {
    one_ = copies.front();
  } else {
    many_.assign(copies.begin(), copies.end());
  }
}

TaskList::TaskList(TaskList&& other) noexcept
    : first_(std::exchange(other.first_, nullptr)), last_(std::exchange(other.last_, nullptr)) {}

TaskList& TaskList::operator=(TaskList&& other) noexcept {
  std::swap(first_, other.first_);
  std::swap(last_, other.last_);
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
}

Task* TaskList::pop_front() {
  Task* task = first_;
  first_ = task->next;
  if (first_ == nullptr) last_ = nullptr;
  task->next = nullptr;
  return task;
}

TaskList TaskList::split_after(uint32_t count) {
  if (count == 0) return std::move(*this);
  Task* kept = first_;
  for (uint32_t i = 1; i < count; ++i)
    kept = kept->next;
  TaskList rest;
  rest.first_ = std::exchange(kept->next, nullptr);
  rest.last_ = rest.first_ == nullptr ? nullptr : last_;
  last_ = kept;
  return rest;
}

std::unique_ptr<Task> TaskPool::take() {
  if (free_.empty()) return std::make_unique<Task>();
  --count_;
  return std::unique_ptr<Task>(free_.pop_front());
}

void TaskPool::give_back(std::unique_ptr<Task> task) {
  if (count_ >= kMostPooled || task->copies.capacity() > kMostItemsKept) return;
  if (task->captured != nullptr) task->captured.reset();
  free_.push_back(task.release());
  ++count_;
}

}  // namespace ferry::cpu
