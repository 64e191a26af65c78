// SPDX-License-Identifier: Apache-2.0
// The allocations of the library that have not been freed, and where they were made.
#pragma once

#include "failing_calls.h"
#include "library_code.h"

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace failures {

// May be shared between threads. Allocates nothing itself: it runs inside malloc.
class LiveAllocations {
 public:
  void add(void* memory, void* const* frames);
  void remove(void* memory);
  int list(FailingSite* sites, int room);

 private:
  // Open addressing; `memory` is nullptr where nothing was yet, kRemoved where something was.
  struct Entry {
    void* memory = nullptr;
    void* frames[FAILING_SITE_FRAMES] = {};
  };
  static constexpr size_t kEntries = size_t{1} << 15;

  Entry* find(void* memory, bool for_adding);
  void lock();
  void unlock() { is_locked_.clear(std::memory_order_release); }

  std::atomic_flag is_locked_;
  Entry entries_[kEntries]{};
};

LiveAllocations& live_allocations();

}  // namespace failures
