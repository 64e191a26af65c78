// SPDX-License-Identifier: Apache-2.0
// What a soak does over and over: creates one of everything, uses it and destroys it.
#pragma once

#include <cstdint>

namespace ferry::tools::soak {

/// One thread's part of a round. The thread has not used the devices before, and ends afterwards,
/// so that what the library keeps per thread is created and destroyed too.
void run_round(int32_t device);

/// What has to be done while no other thread uses the device: waiting for all of it, and a reset
/// that drops work and streams.
void run_alone(int32_t device);

}  // namespace ferry::tools::soak
