// SPDX-License-Identifier: Apache-2.0
// Points in queues that others wait for: markers, reached once, and flags, set and taken again and
// again. A queue that cannot go on because of one is parked there and is woken; it holds no thread.
#pragma once

#include "backends/cuda/plugin/host.h"
#include "backends/cuda/queue/line.h"

#include "ferry/backend.h"

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

namespace ferry::cuda {

class Queue;

// Lock order: a queue's lock, then that of a marker or flag, then that of who watches queues.
// May be shared between threads. Counted: deleted with the last reference.
class Marker {
 public:
  // kWaiting  not on a CUDA stream: never queued, or behind something that is held
  // kOnLine   recorded on a CUDA stream, which will pass it without help of the host
  // kReached  passed
  // kDropped  the task that would have recorded it was dropped
  enum class State { kWaiting, kOnLine, kReached, kDropped };

  void retain() { references_.fetch_add(1, std::memory_order_relaxed); }
  void release();

  // By the queue that has recorded it, or that drops it.
  void set_point(std::unique_ptr<Point> point);
  void drop();

  // Trouble is only about asking CUDA; the state is then kReached.
  Trouble ask(State& state);
  // Of a marker that was seen on the line; stays as long as the marker.
  Point& point() const { return *point_; }

  // True when the queue will be woken once the state is not kWaiting any more; false when it is not
  // kWaiting now.
  bool park(Queue& queue);
  void unpark(Queue& queue);

  // 0, 507047 or 107023, or what CUDA said.
  int synchronize(int64_t timeout);
  int nanoseconds(uint64_t& time);

 private:
  void leave_waiting(State state);  // with the lock held

  std::atomic<uint32_t> references_{1};
  std::mutex mutex_;  // guards what follows; held while parked queues are woken
  std::condition_variable changed_;
  State state_ = State::kWaiting;
  std::unique_ptr<Point> point_;  // set once, before the state becomes kOnLine
  std::vector<Queue*> parked_;
};

// May be shared between threads. Counted: deleted with the last reference.
class Flag {
 public:
  void retain() { references_.fetch_add(1, std::memory_order_relaxed); }
  void release();

  void set();
  void clear();
  // True when the queue has taken it; else the queue is parked and will be woken when it is set.
  bool take_or_park(Queue& queue);
  void unpark(Queue& queue);

 private:
  std::atomic<uint32_t> references_{1};
  std::mutex mutex_;  // guards what follows; held while parked queues are woken
  bool is_set_ = false;
  std::vector<Queue*> parked_;  // in the order of their coming
};

}  // namespace ferry::cuda
