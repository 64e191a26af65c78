// SPDX-License-Identifier: Apache-2.0
// How a kernel reports that an address it read may not be accessed. What the fault means for the
// queue is not decided here. Needs no CUDA header.
#pragma once

#include <cstdint>
#include <string>

namespace ferry::cuda {

enum class Fault : uint32_t {
  kNone = 0,
  kDescriptor = 1,  // the descriptor itself is in no live range
  kDst = 2,         // the destination, or the cell that holds its base address
  kSrc = 3
};

// In mapped pinned memory. The kernel writes `code` last; once the host sees it, it sees the rest.
struct FaultSlot {
  uint32_t code = 0;       // Fault
  uint32_t is_inside = 0;  // 1: the address is live, but the range leaves its allocation
  uint64_t address = 0;
  uint64_t size = 0;
};

// One line of text: which side, the address, and what is wrong with it.
std::string describe(const FaultSlot& fault);

}  // namespace ferry::cuda
