// SPDX-License-Identifier: Apache-2.0
// Tracks which pages of the program's memory are pinned. CUDA pins whole pages, each at most once,
// and a copy may not cross from one pinned range into another. Programs register ranges that share
// pages, so ranges with common pages are pinned as one. Needs no CUDA header.
#pragma once

#include "backends/cuda/plugin/cuda_error.h"

#include <cstdint>
#include <functional>
#include <map>
#include <utility>

namespace ferry::cuda {

// Not thread-safe: the owner locks, and makes sure that no work is in flight on pinned ranges.
class HostPins {
 public:
  struct Actions {
    std::function<Trouble(uintptr_t start, uint64_t size)> pin;
    std::function<void(uintptr_t start)> unpin;
  };
  HostPins(uint64_t page_size, Actions actions)
      : page_size_(page_size), actions_(std::move(actions)) {}

  // Pins the pages of a range that are not pinned yet. On failure everything is as before.
  Trouble add(uintptr_t address, uint64_t size);
  // Unpins pages that no range needs any more. Unknown ranges are ignored.
  void remove(uintptr_t address, uint64_t size);

 private:
  struct Pinned {
    uintptr_t end = 0;
    uint32_t users = 0;
  };
  using Ranges = std::map<uintptr_t, Pinned>;  // by start; they do not overlap

  Ranges::iterator first_overlapping(uintptr_t start);
  Trouble pin(uintptr_t start, uintptr_t end, uint32_t users);
  Trouble pin_merged(uintptr_t start, uintptr_t end);
  uintptr_t page_of(uintptr_t address) const { return address / page_size_ * page_size_; }

  const uint64_t page_size_;
  const Actions actions_;
  Ranges pinned_;
};

}  // namespace ferry::cuda
