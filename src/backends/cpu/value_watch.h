// SPDX-License-Identifier: Apache-2.0
// Queues that wait for a value in device memory, and the stores that end such waits. A store of a
// queue wakes them at once. All other stores, by the program, by copies or by other processes, are
// found by one thread that polls while queues wait.
#pragma once

#include "backends/cpu/services.h"
#include "backends/cpu/sync.h"
#include "backends/cpu/task.h"

#include "ferry/backend.h"

#include <chrono>
#include <cstdint>
#include <vector>

namespace ferry::cpu {

class Queue;

// One for all CPU devices, because a queue may wait for memory of another device. May be shared
// between threads. Lock order: as a marker's lock. Whoever takes the lock to look at a value has
// begun to use memory before: unmapping waits for the users, so they must not wait for it here.
class ValueWatch {
 public:
  // Starts the thread on first use; 207005 when the system cannot create it.
  int start();

  // Stores the value in its storage, which the caller uses, and resumes the queues that waited for
  // it. Returns nullptr, or an address that could not be accessed.
  const void* write(const ferryx_value& written);

  // kGone: the memory is not live any more, or cannot be accessed.
  enum class Answer { kSatisfied, kWaits, kGone };
  // kWaits: the queue is parked now. Takes the entry, a list of one.
  Answer park(ParkedQueues& entry);
  void unpark(Queue& queue, uint64_t token);

  // A queue that delays its tasks will store to this address; such a task is done. While a queue
  // waits for the address, those that will store there must run.
  void add_writer(Queue& queue, const void* address);
  void remove_writer(Queue& queue, const void* address);
  void demand_writers(const void* address);

  // Looks at all awaited values, and resumes or fails the queues. True when a wait has ended.
  bool look();

 private:
  struct Writer {
    Queue* queue;
    const void* address;
  };
  using Pause = std::chrono::microseconds;
  // The longest pause bounds both the delay of a wake-up and the load of a core.
  static constexpr Pause kShortestPause{20};
  static constexpr Pause kLongestPause{500};

  void serve();
  static Answer look_at(const ferryx_value& awaited);

  sync::Mutex mutex_;  // guards what follows; held while parked queues are resumed
  sync::Condition changed_;
  bool is_started_ = false;
  Pause pause_ = kShortestPause;
  ParkedQueues parked_;
  std::vector<Writer> writers_;  // one entry per task
};

ValueWatch& value_watch();

}  // namespace ferry::cpu
