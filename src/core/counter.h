// SPDX-License-Identifier: Apache-2.0
// The count of a counting notify, and the streams that wait for it. A stream that waits is parked
// on a callout that is done when the wait is over, and occupies no thread.
#pragma once

#include "base/status.h"

#include "acl/acl_rt.h"
#include "ferry/backend.h"

#include <chrono>
#include <cstdint>
#include <list>
#include <mutex>

namespace ferry {

// A stream that waits for the count.
struct CountWait {
  aclrtCntNotifyWaitInfo info{};
  void* stream = nullptr;             // its handle
  uint64_t endings = 0;               // of the stream when the wait began: see Stream::endings
  uint32_t task = 0;                  // number of the task, for reports
  ferryx_callout* callout = nullptr;  // the stream continues when it is done
  std::chrono::steady_clock::time_point deadline = std::chrono::steady_clock::time_point::max();
};
// Entries are made when the wait is queued: a queue that comes to it cannot report a lack of
// memory.
using CountWaits = std::list<CountWait>;

// May be shared between threads.
class Counter {
 public:
  using Clock = std::chrono::steady_clock;

  Counter() = default;
  Counter(const Counter&) = delete;
  Counter& operator=(const Counter&) = delete;
  // Ends the waits that are left: their streams fail and go on.
  ~Counter();

  void change(const aclrtCntNotifyRecordInfo& info);
  // Takes the entry, a list of one whose callout has started.
  void wait(CountWaits& entry);
  // Fails the waits whose deadline is over. Returns the earliest of the others.
  Clock::time_point expire(Clock::time_point now);

 private:
  // Takes the waits that are over now.
  CountWaits take_over_locked();

  std::mutex mutex_;  // guards what follows; callouts are finished without it
  uint32_t count_ = 0;
  CountWaits waits_;  // in the order in which they began
};

}  // namespace ferry
