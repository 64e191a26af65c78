// SPDX-License-Identifier: Apache-2.0
// The progress thread of a device: visits queues that hold tasks. It sleeps while no queue needs
// it, asks CUDA in growing intervals while a queue waits for its line, and wakes at time limits.
#pragma once

#include "backends/cuda/queue/polling.h"
#include "backends/cuda/queue/queue.h"

#include <condition_variable>
#include <mutex>
#include <vector>

namespace ferry::cuda {

// May be shared between threads. One whose thread was started is never destroyed.
class Progress final : public Watcher {
 public:
  // False when the system has no room for another thread.
  bool start();

  // Whether no queue moves: what they hold waits for a time limit, for another thread, or for work
  // of the program on the host.
  bool is_still();

  // Begins no visit any more: the process ends, and CUDA with it. Does not wait for one that is
  // under way: it may be the caller.
  void pause();

  void post(Queue& queue) override;
  void forget(Queue& queue) override;

  // One pass over the queues that are due now; for the thread, and for tests without one. Returns
  // whether there was any.
  bool visit_due_queues();

 private:
  using Lock = std::unique_lock<std::mutex>;
  struct Entry {
    Queue* queue = nullptr;
    bool is_posted = false;
    Queue::Visit visit;  // what it needs when it is not posted
  };

  void serve();
  void visit(Lock& lock, Queue& queue);
  // Rests until something may be due.
  void rest(Lock& lock);
  Entry* find(const Queue& queue);
  bool has_posted() const;

  std::mutex mutex_;  // guards what follows; not held while a queue is visited
  std::condition_variable changed_;
  std::vector<Entry> entries_;
  const Queue* visited_ = nullptr;
  bool is_resting_ = false;
  bool is_paused_ = false;
  int hurry_ = 0;  // passes left without a rest: something has moved a moment ago
  Patience patience_;
};

}  // namespace ferry::cuda
