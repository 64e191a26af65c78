// SPDX-License-Identifier: Apache-2.0
// What queues and threads wait for: markers, reached once, and flags, set and taken repeatedly. A
// queue that waits for one is parked there until it is woken, and occupies no thread.
#pragma once

#include "backends/cuda/plugin/services.h"
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

// Lock order: queue; marker or flag; watcher.
// May be shared between threads. Reference-counted: deleted with the last reference.
class Marker {
 public:
  // kWaiting  not on a CUDA stream: never queued, or still held by its queue
  // kOnLine   recorded on a CUDA stream, which will pass it without the host
  // kReached  passed
  // kDropped  the task that would have recorded it was dropped
  // kFailed   the host has ended it with a code: work that waits for it fails
  enum class State { kWaiting, kOnLine, kReached, kDropped, kFailed };

  void retain() { references_.fetch_add(1, std::memory_order_relaxed); }
  void release();

  // Called by the queue that has recorded the marker, or that drops it.
  void set_point(std::unique_ptr<Point> point);
  void drop();
  // The host ends a marker that no queue records: it is reached, or failed if the code is not 0.
  void finish(int code);

  // A Trouble is about querying CUDA, and the state is then kReached; or it is that of kFailed.
  Trouble ask(State& state);
  // Only for a marker that was seen kOnLine; lives as long as the marker.
  Point& point() const { return *point_; }

  // True: the queue will be woken when the state leaves kWaiting. False: the state is not kWaiting.
  bool park(Queue& queue);
  void unpark(Queue& queue);

  // Returns 0, 507047, 107023 or the code of a CUDA error.
  int synchronize(int64_t timeout);
  int nanoseconds(uint64_t& time);

 private:
  void leave_waiting(State state);  // with the lock held

  std::atomic<uint32_t> references_{1};
  std::mutex mutex_;  // guards the members below; held while parked queues are woken
  std::condition_variable changed_;
  State state_ = State::kWaiting;
  std::unique_ptr<Point> point_;  // set once, before the state becomes kOnLine
  int failure_ = 0;               // of kFailed
  uint64_t finished_at_ = 0;      // nanoseconds; of a marker that the host has ended
  std::vector<Queue*> parked_;
};

// May be shared between threads. Reference-counted: deleted with the last reference.
class Flag {
 public:
  void retain() { references_.fetch_add(1, std::memory_order_relaxed); }
  void release();

  void set();
  void clear();
  // True: the queue has taken the flag. False: it is parked and will be woken when the flag is set.
  bool take_or_park(Queue& queue);
  void unpark(Queue& queue);

 private:
  std::atomic<uint32_t> references_{1};
  std::mutex mutex_;  // guards the members below; held while parked queues are woken
  bool is_set_ = false;
  std::vector<Queue*> parked_;  // in order of arrival
};

}  // namespace ferry::cuda
