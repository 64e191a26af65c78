// SPDX-License-Identifier: Apache-2.0
// Which device functions run, and the memory that was freed meanwhile. A function may keep any
// address it has seen. So memory that is freed while functions run is released only when all of
// them have returned: until then nobody else gets its addresses.
#pragma once

#include "ferry/backend.h"

#include <atomic>
#include <cstdint>
#include <mutex>

namespace ferry::cpu {

// May be shared between threads; never destroyed.
class RunningFunctions {
 public:
  using Release = void (*)(void* owner, const ferryx_memory& memory);

  // Of all devices: a function may use the memory of any of them.
  static RunningFunctions& instance();

  // Returns the number of the function, for end().
  uint64_t begin();
  void end(uint64_t number);

  // While the lock is held, no function runs or starts. It is not locked when one runs now. Only
  // bytes are moved meanwhile: a queue may wait for it.
  std::unique_lock<std::mutex> keep_out();

  // Calls `release` at once, or when all functions that run now have ended. Owners live forever.
  void release_after(const ferryx_memory& memory, Release release, void* owner);

 private:
  struct Freed {
    ferryx_memory memory;
    Release release;
    void* owner;
    uint64_t numbers;  // it waits for functions with smaller numbers
    uint64_t awaited;  // how many of them have not ended; never 0 while it is listed
    Freed* next;
  };

  Freed* take_released(uint64_t number);

  std::atomic<uint64_t> running_{0};  // changed with the lock held
  std::mutex mutex_;                  // guards what follows
  uint64_t next_number_ = 0;
  Freed* freed_ = nullptr;
};

// 507899: storage cannot move now, because a device function may write to it.
int fail_while_functions_run();

}  // namespace ferry::cpu
