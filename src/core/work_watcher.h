// SPDX-License-Identifier: Apache-2.0
// For a party that watches the work of all queues: queues that exist, appear and end, runs of
// models, and failures. Nothing here is on the path of a submission.
#pragma once

#include "base/status.h"

#include "ferry/backend.h"

#include <atomic>
#include <cstdint>

namespace ferry {

class Device;

// A queue of the program's work, as a watcher sees it.
struct QueueFacts {
  const ferryx_backend* backend = nullptr;  // for calls about the queue
  ferryx_queue* queue = nullptr;
  int32_t device = 0;
  int32_t stream = -1;  // id of the stream, or of the lane of a model
};

// Functions must not throw. queue_is_there and queue_ends are called under the lock of the list;
// they must not make or end queues.
struct WorkWatcher {
  // Of each queue, when it was made; of those that exist already, when the watcher comes.
  void (*queue_is_there)(const QueueFacts& queue);
  // The queue is about to be destroyed, or the watcher is about to go.
  void (*queue_ends)(const QueueFacts& queue);
  // What the calling thread submits from now on belongs to the run of a model. Models count from 0,
  // runs from 1; run 0: to no run.
  void (*run_is)(uint32_t model, uint64_t run);
  void (*work_failed)(const ferryx_fault& fault);
};

// nullptr: nobody watches. Calls of functions of the one before may still be under way afterwards,
// except those about queues. The watcher must live forever.
void set_work_watcher(const WorkWatcher* watcher);
inline std::atomic<const WorkWatcher*> work_watcher{nullptr};

// Says which run the submissions of the calling thread belong to, during its life.
class WatchedRun {
 public:
  WatchedRun(uint32_t model, uint64_t run)
      : watcher_(work_watcher.load(std::memory_order_acquire)) {
    if (watcher_ != nullptr) watcher_->run_is(model, run);
  }
  ~WatchedRun() {
    if (watcher_ != nullptr) watcher_->run_is(0, 0);
  }
  WatchedRun(const WatchedRun&) = delete;
  WatchedRun& operator=(const WatchedRun&) = delete;

 private:
  const WorkWatcher* const watcher_;
};

// A queue that is in the list of all queues from when it is made until it is destroyed.
class ListedQueue {
 public:
  ListedQueue() = default;
  ~ListedQueue() { destroy(); }
  ListedQueue(const ListedQueue&) = delete;
  ListedQueue& operator=(const ListedQueue&) = delete;

  Status make(Device& device, const ferryx_queue_settings& settings);
  // Does nothing before it is made, or again.
  void destroy();
  ferryx_queue* get() const { return facts_.queue; }  // NULL unless it is there

 private:
  friend void set_work_watcher(const WorkWatcher* watcher);

  QueueFacts facts_;
  ListedQueue* next_ = nullptr;      // guarded by the lock of the list
  ListedQueue* previous_ = nullptr;  // likewise
};

}  // namespace ferry
