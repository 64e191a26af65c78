// SPDX-License-Identifier: Apache-2.0
// Spans of addresses that are added once and never removed. Readers take no lock, so that a signal
// handler may ask.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>

namespace ferry::cpu {

// May be shared between threads. A global needs no constructor and no destructor to run.
class SpanSet {
 public:
  // Ignored when there is no room.
  void add(uintptr_t start, uint64_t size) {
    const std::lock_guard lock(mutex_);
    const size_t count = count_.load(std::memory_order_relaxed);
    if (count == kMost) return;
    spans_[count] = {start, size};
    count_.store(count + 1, std::memory_order_release);
  }

  bool contains(const void* address) const {
    const auto value = reinterpret_cast<uintptr_t>(address);
    const size_t count = count_.load(std::memory_order_acquire);
    for (size_t i = 0; i < count; ++i) {
      if (value - spans_[i].start < spans_[i].size) return true;
    }
    return false;
  }

 private:
  static constexpr size_t kMost = 66;  // 64 devices, host memory, mapped memory

  struct Span {
    uintptr_t start = 0;
    uint64_t size = 0;
  };

  std::mutex mutex_;  // serialises writers
  // Invariant: the first count_ elements never change.
  Span spans_[kMost];
  std::atomic<size_t> count_{0};
};

}  // namespace ferry::cpu
