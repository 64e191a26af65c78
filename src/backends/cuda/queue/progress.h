// SPDX-License-Identifier: Apache-2.0
// The progress thread of a device: visits queues that hold tasks. It sleeps while no queue needs
// it, polls CUDA with back-off while a queue waits for its line, and wakes at deadlines.
#pragma once

#include "backends/cuda/queue/polling.h"
#include "backends/cuda/queue/queue.h"

#include <condition_variable>
#include <mutex>
#include <vector>

namespace ferry::cuda {

// May be shared between threads. Never destroyed once its thread has started.
class Progress final : public Watcher {
 public:
  // False when the thread cannot be started.
  bool start();

  // Whether no queue can progress on its own: held tasks wait for a deadline, another thread or a
  // host function.
  bool is_still();

  // Starts no further visit: the process is ending, and CUDA with it. Does not wait for a visit in
  // progress, which may be the caller's own.
  void pause();

  void post(Queue& queue) override;
  void forget(Queue& queue) override;

  // Visits the queues that are due now; for the thread, and for tests without one. Returns whether
  // any was due.
  bool visit_due_queues();

 private:
  using Lock = std::unique_lock<std::mutex>;
  struct Entry {
    Queue* queue = nullptr;
    bool is_posted = false;
    Queue::Visit visit;  // what the queue needs when it is not posted
  };

  void serve();
  void visit(Lock& lock, Queue& queue);
  // Sleeps until a queue may be due.
  void rest(Lock& lock);
  Entry* find(const Queue& queue);
  bool has_posted() const;

  std::mutex mutex_;  // guards the members below; not held while a queue is visited
  std::condition_variable changed_;
  std::vector<Entry> entries_;
  const Queue* visited_ = nullptr;
  bool is_resting_ = false;
  bool is_paused_ = false;
  int hurry_ = 0;  // passes left without a sleep, because a queue progressed a moment ago
  Patience patience_;
};

}  // namespace ferry::cuda
