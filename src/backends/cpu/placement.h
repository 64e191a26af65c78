// SPDX-License-Identifier: Apache-2.0
// On which NUMA node pages lie.
#pragma once

#include <cstdint>

namespace ferry::cpu {

// Moves the pages of a range to a NUMA node, now and when they are touched first. Other places
// (FERRYX_PLACE_DEVICE, FERRYX_PLACE_HOST) let pages lie where they are touched first: a CPU device
// has the cores of all nodes. A hint: nothing is reported when the system does not follow it.
void place_memory(void* address, uint64_t size, int32_t place);

}  // namespace ferry::cpu
