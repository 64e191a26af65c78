// SPDX-License-Identifier: Apache-2.0
// The C library has no function for the system call.
#include "backends/cpu/placement.h"

#include <linux/mempolicy.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <climits>

namespace ferry::cpu {
namespace {

constexpr int32_t kMostNodes = 1024;
constexpr int32_t kBits = sizeof(unsigned long) * CHAR_BIT;

}  // namespace

void place_memory(void* address, uint64_t size, int32_t place) {
  unsigned long nodes[kMostNodes / kBits] = {};
  const bool is_on_node = place >= 0 && place < kMostNodes;
  if (is_on_node) nodes[place / kBits] = 1UL << (place % kBits);
  syscall(SYS_mbind, address, size, is_on_node ? MPOL_PREFERRED : MPOL_DEFAULT,
          is_on_node ? nodes : nullptr, is_on_node ? kMostNodes : 0, is_on_node ? MPOL_MF_MOVE : 0);
}

}  // namespace ferry::cpu
