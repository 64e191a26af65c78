// SPDX-License-Identifier: Apache-2.0
// Lists and pools of tasks.
#include "backends/cpu/task.h"

#include "backends/cpu/marker.h"
#include "backends/cpu/queue.h"
#include "base/live_memory.h"
#include "base/work.h"

#include <cstring>
#include <new>
#include <utility>

namespace ferry::cpu {
namespace {

constexpr size_t kMostPlain = 4096;
constexpr size_t kMostRoomy = 8;
// A task with capacity for more items is freed, not pooled.
constexpr size_t kMostItemsKept = 65536;

// The task is in the caches of the core that ran it last. The prefetch brings it to this core
// before the next submission.
void fetch_for_writing(const Task& task) {
  constexpr size_t kLine = 64;
  const char* start = reinterpret_cast<const char*>(&task);
  __builtin_prefetch(start, 1);
  __builtin_prefetch(start + kLine, 1);
}

// Copies the source bytes of the only item into the task.
void capture(Task& task) {
  ferryx_copy& only = task.copies.items()[0];
  task.captured = std::make_unique_for_overwrite<char[]>(only.size);
  std::memcpy(task.captured.get(), only.src_storage, only.size);
  only.src_storage = task.captured.get();
}

bool have_storage(const ferryx_copies& copies) {
  return (copies.flags & FERRYX_COPY_RESOLVED) != 0 ||
         std::all_of(copies.items, copies.items + copies.count, [](const ferryx_copy& copy) {
           return copy.dst_storage != nullptr && copy.src_storage != nullptr;
         });
}

}  // namespace

void CopyList::assign_many(std::span<const ferryx_copy> copies) {
  many_.assign(copies.begin(), copies.end());
  bytes_ = 0;
  for (const ferryx_copy& copy : many_)
    bytes_ += copy.size;
}

void CopyList::assign(const ferryx_columns& columns) {
  size_ = columns.count;
  dst_distance_ = distance_to_storage(columns.dst);
  src_distance_ = distance_to_storage(columns.src);
  is_even_ = columns.common_size != 0 && size_ > 1;
  if (is_even_) {
    even_size_ = columns.common_size;
    bytes_ = size_ * even_size_;
    even_.resize(size_);
    for (size_t i = 0; i < size_; ++i)
      even_[i] = {columns.dsts[i], columns.srcs[i]};
    return;
  }
  if (size_ > 1) many_.resize(size_);
  ferryx_copy* const copies = items().data();
  bytes_ = 0;
  for (size_t i = 0; i < size_; ++i) {
    copies[i] = {.dst = columns.dsts[i],
                 .src = columns.srcs[i],
                 .size = columns.sizes[i],
                 .dst_storage = static_cast<char*>(columns.dsts[i]) + dst_distance_,
                 .src_storage = static_cast<char*>(columns.srcs[i]) + src_distance_};
    bytes_ += columns.sizes[i];
  }
}

void Task::release_objects() {
  if (ferryx_marker* own_marker = marker()) own_marker->release();
  if (ferryx_flag* own_flag = flag()) own_flag->release();
  link.reset();
  parking.clear();
}

// Reports of the task come after the kernel has run: by then the name and the accesses of the work
// may be gone.
void Task::link_kernel() {
  link = std::make_shared<Link>();
  link->kernel = as.kernel.name;
  as.kernel.name = link->kernel.c_str();
  as.kernel.accesses = nullptr;
  as.kernel.access_count = 0;
}

void Task::adopt_payload(const ferryx_work& work) {
  switch (work.kind) {
    case FERRYX_COPIES:
      direction = static_cast<uint8_t>(work.as.copies.direction);
      copies.assign({work.as.copies.items, work.as.copies.count});
      is_resolved = have_storage(work.as.copies);
      if ((work.as.copies.flags & FERRYX_COPY_CAPTURE) != 0) capture(*this);
      return;
    case FERRYX_COLUMNS:
      kind = FERRYX_COPIES;
      direction = static_cast<uint8_t>(work.as.columns.direction);
      copies.assign(work.as.columns);
      is_resolved = true;
      return;
    default:
      std::memcpy(&as, &work.as, work.struct_size - offsetof(ferryx_work, as));
  }
  if (kind == FERRYX_CALLOUT || kind == FERRYX_FUNCTION) link = std::make_shared<Link>();
  if (kind == FERRYX_KERNEL) link_kernel();
  if (kind == FERRYX_AWAIT || kind == FERRYX_TAKE_FLAG || kind == FERRYX_AWAIT_VALUE) {
    parking.resize(1);
  }
  // The references of the task; nothing fails any more.
  if (ferryx_marker* awaited = marker()) awaited->retain();
  if (ferryx_flag* used = flag()) used->retain();
}

ferryx_work Task::work() noexcept {
  ferryx_work work =
      make_work(FERRYX_COPIES, &ferryx_payload::copies,
                {.items = nullptr, .count = 0, .direction = direction, .flags = 0}, epoch);
  work.origin = origin;
  work.kind = kind;
  if (kind == FERRYX_COPIES) {
    if (copies.is_changeable()) {
      work.as.copies.items = copies.items().data();
      work.as.copies.count = copies.size();
    }
  } else {
    work.struct_size = sizeof work;
    work.as = as;
  }
  return work;
}

bool CopyList::is_changeable() noexcept {
  try {
    if (is_even_) many_.reserve(size_);
    return true;
  } catch (const std::bad_alloc&) {
    return false;
  }
}

std::span<ferryx_copy> CopyList::items() {
  if (size_ == 1) return {&one_, 1};
  if (is_even_) {
    many_.resize(size_);
    for (size_t i = 0; i < size_; ++i)
      many_[i] = even_copy(i);
    is_even_ = false;
  }
  return many_;
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
