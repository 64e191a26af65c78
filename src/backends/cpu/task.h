// SPDX-License-Identifier: Apache-2.0
// Tasks: work that a queue has accepted.
#pragma once

#include "backends/cpu/services.h"

#include "ferry/backend.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <list>
#include <memory>
#include <span>
#include <vector>

namespace ferry::cpu {

struct Link;
class Queue;

// A queue that waits for a marker, a flag or a value.
struct ParkedQueue {
  Queue* queue = nullptr;
  uint64_t token = 0;
  ferryx_value awaited{};  // by a wait for a value
};
using ParkedQueues = std::list<ParkedQueue>;

// The items of a task. A single one, the usual case, is stored in the task itself. Those of an even
// batch (one size, one allocation per side) are stored compactly: writing and reading the list is
// most of what such a batch costs beyond its bytes. A reused task keeps its capacity.
class CopyList {
 public:
  void assign(std::span<const ferryx_copy> copies) {
    size_ = copies.size();
    is_even_ = false;
    if (size_ != 1) return assign_many(copies);
    one_ = copies.front();
    bytes_ = one_.size;
  }
  void assign(const ferryx_columns& columns);

  size_t size() const { return size_; }
  uint64_t bytes() const { return bytes_; }  // of all items
  size_t capacity() const { return std::max(many_.capacity(), even_.capacity()); }
  ferryx_copy operator[](size_t i) const {
    if (size_ == 1) return one_;
    return is_even_ ? even_copy(i) : many_[i];
  }
  // For changing the items. Not while other threads read the list.
  std::span<ferryx_copy> items();
  // Whether there is memory to do so: an even list must be expanded first.
  bool is_changeable() noexcept;

 private:
  struct EvenCopy {
    void* dst;
    const void* src;
  };

  void assign_many(std::span<const ferryx_copy> copies);
  ferryx_copy even_copy(size_t i) const {
    const auto [dst, src] = even_[i];
    return {.dst = dst,
            .src = src,
            .size = even_size_,
            .dst_storage = static_cast<char*>(dst) + dst_distance_,
            .src_storage = static_cast<const char*>(src) + src_distance_};
  }

  size_t size_ = 0;
  uint64_t bytes_ = 0;
  ferryx_copy one_{};
  bool is_even_ = false;  // the items are in even_, not in many_
  std::vector<ferryx_copy> many_;
  std::vector<EvenCopy> even_;
  uint64_t even_size_ = 0;
  ptrdiff_t dst_distance_ = 0;  // from the program's address to the storage address
  ptrdiff_t src_distance_ = 0;
};

// Accepted work, with everything it needs to execute later. One owner at a time: the submitter,
// then its queue. The members a small copy needs fill the first two cache lines, which bounce
// between the submitting and the executing core.
struct alignas(64) Task {
  // Takes over the work. Its arrays, and source bytes to capture, are copied. Columns become
  // copies.
  void adopt(const ferryx_work& work) {
    kind = work.kind;
    is_prepared = false;
    bypasses_cache = false;
    origin = work.origin;
    epoch = work.epoch;
    if (kind == FERRYX_COPIES && work.as.copies.flags == FERRYX_COPY_RESOLVED) {
      direction = static_cast<uint8_t>(work.as.copies.direction);
      is_resolved = true;
      copies.assign({work.as.copies.items, work.as.copies.count});
    } else {
      adopt_payload(work);
    }
  }
  // Releases what the task holds: references to its marker or flag, captured source bytes.
  void let_go() {
    if (kind != FERRYX_COPIES) release_objects();
    if (captured != nullptr) captured.reset();
  }
  // The work again, for reports; if memory is short, with fewer copies than it has. Not while other
  // threads read its copies.
  ferryx_work work() noexcept;

  // nullptr unless the task reaches or awaits a marker, sets or takes a flag.
  ferryx_marker* marker() const {
    return kind == FERRYX_MARK || kind == FERRYX_AWAIT ? as.marker.marker : nullptr;
  }
  ferryx_flag* flag() const {
    return kind == FERRYX_SET_FLAG || kind == FERRYX_TAKE_FLAG ? as.flag.flag : nullptr;
  }

  Task* next = nullptr;           // in the list that holds it
  uint64_t sequence = 0;          // its place in the queue
  uint32_t kind = FERRYX_COPIES;  // ferryx_work_kind
  bool is_resolved = false;       // all its copies had storage addresses when it was submitted
  bool is_prepared = false;       // its storage addresses stay valid: its submitter waits for it
  bool bypasses_cache = false;    // it moves more bytes than the caches hold
  uint8_t direction = 0;          // of copies: ferryx_direction
  ferryx_origin origin{};
  uint64_t epoch = 0;
  CopyList copies;  // of FERRYX_COPIES; described and indirect copies get one when they execute

  Clock::time_point queued_at{};     // only under schedules that delay
  Clock::time_point begun_at{};      // only while the queue is observed
  Clock::time_point ended_at{};      // likewise; of small tasks
  std::unique_ptr<char[]> captured;  // the source bytes, taken at submission
  std::shared_ptr<Link> link;        // of a callout, function or kernel: made at submission, too
  ParkedQueues parking;              // of a wait: one entry, likewise
  ferryx_payload as{};               // of kinds other than FERRYX_COPIES

 private:
  void adopt_payload(const ferryx_work& work);
  void link_kernel();
  void release_objects();
};

// A list of tasks in order. Not thread safe: its owner locks.
class TaskList {
 public:
  TaskList() = default;
  TaskList(TaskList&& other) noexcept;
  TaskList& operator=(TaskList&& other) noexcept;
  ~TaskList();

  bool empty() const { return first_ == nullptr; }
  uint32_t size() const { return size_; }
  Task* front() const { return first_; }
  void push_back(Task* task);
  Task* pop_front();
  // Takes the first `count` tasks, of which `last` is the last.
  TaskList take_through(Task* last, uint32_t count);
  // Puts `other` behind the last task.
  void append(TaskList&& other);
  // Takes everything behind the first `count` tasks.
  TaskList take_after(uint32_t count);

 private:
  Task* first_ = nullptr;
  Task* last_ = nullptr;
  uint32_t size_ = 0;
};

// Tasks for reuse, so that submitting allocates nothing once warm. Those with capacity for many
// items are kept apart; otherwise a batch would sometimes get a task without and have to allocate.
// Not thread safe.
class TaskPool {
 public:
  // A task for this many items.
  std::unique_ptr<Task> take(size_t items);
  // One task, or several that carried one item each.
  void give_back(TaskList&& tasks);

 private:
  TaskList plain_;
  TaskList roomy_;
};

}  // namespace ferry::cpu
