// SPDX-License-Identifier: Apache-2.0
// The memory and the copies of a round.
#pragma once

#include <cstdint>

namespace ferry::tools::soak {

/// Every kind of allocation, and registered memory.
void use_memory(int32_t device);

/// Every kind of copy, on a stream and during the call.
void use_copies(int32_t device);

/// From pinned memory to the device and back, in order.
void copy_there_and_back();

}  // namespace ferry::tools::soak
