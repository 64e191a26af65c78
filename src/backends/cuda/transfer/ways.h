// SPDX-License-Identifier: Apache-2.0
// Counts which ways copies took, and why. Needs no CUDA header.
#pragma once

#include "backends/cuda/transfer/plan.h"

#include <array>
#include <atomic>
#include <cstdint>

namespace ferry::cuda {

// The report about one way.
struct WayReport {
  const char* name = "";
  const char* reason = "";  // why the latest task went this way; "" before the first
  uint64_t tasks = 0;
  uint64_t items = 0;
  uint64_t bytes = 0;
  uint32_t multiprocessors = 0;  // of the latest kernel; 0 for other ways
};

const char* name_of(Way way);
const char* text_of(Reason reason);

// May be shared between threads. The counters are independent of each other: a reader may see the
// task but not yet its bytes.
class WayCounters {
 public:
  void count(Way way, Reason reason, uint64_t items, uint64_t bytes);
  void set_multiprocessors(uint32_t count) {
    multiprocessors_.store(count, std::memory_order_relaxed);
  }
  WayReport report(Way way) const;

 private:
  struct Counter {
    std::atomic<uint64_t> tasks{0};
    std::atomic<uint64_t> more_items{0};  // beyond one per task: single copies do not write it
    std::atomic<uint64_t> bytes{0};
    std::atomic<Reason> reason{Reason::kNone};
  };
  std::array<Counter, kWayCount> counters_;
  std::atomic<uint32_t> multiprocessors_{0};
};

}  // namespace ferry::cuda
