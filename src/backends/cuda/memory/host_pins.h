// SPDX-License-Identifier: Apache-2.0
// Which pages of the program's memory are pinned. CUDA pins whole pages, each once, and a copy may
// not lead from one pinned range into another; programs register ranges that share pages. So ranges
// with common pages are pinned as one. No header of CUDA is needed here.
#pragma once

#include "backends/cuda/plugin/cuda_error.h"

#include <cstdint>
#include <functional>
#include <map>
#include <utility>

namespace ferry::cuda {

// Not thread safe: the owner locks, and sees to it that no work is under way on pinned ranges.
class HostPins {
 public:
  struct Actions {
    std::function<Trouble(uintptr_t start, uint64_t size)> pin;
    std::function<void(uintptr_t start)> unpin;
  };
  HostPins(uint64_t page_size, Actions actions)
      : page_size_(page_size), actions_(std::move(actions)) {}

  // Pins the pages of a range that are not pinned yet. On failure all is as before.
  Trouble add(uintptr_t address, uint64_t size);
  // Unpins what no range needs any more. Unknown ranges are ignored.
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
