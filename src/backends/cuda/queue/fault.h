// SPDX-License-Identifier: Apache-2.0
// How a kernel says that an address it read may not be touched. No CUDA header is needed here; what
// the fault means for the queue is not decided here.
#pragma once

#include <cstdint>
#include <string>

namespace ferry::cuda {

enum class Fault : uint32_t {
  kNone = 0,
  kDescriptor = 1,  // the descriptor itself lies in no live range
  kDst = 2,         // the destination, or the cell that holds its base address
  kSrc = 3
};

// Lies in mapped pinned memory. The kernel writes `address` and `size` first and `code` last; the
// host reads it when the task is known to be over.
struct FaultSlot {
  uint32_t code = 0;       // Fault
  uint32_t is_inside = 0;  // 1: the address is live, but the range leaves its allocation
  uint64_t address = 0;
  uint64_t size = 0;
};

// One line for people: which side, where, and what is wrong with it.
std::string describe(const FaultSlot& fault);

}  // namespace ferry::cuda
