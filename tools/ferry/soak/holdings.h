// SPDX-License-Identifier: Apache-2.0
// What this process holds now.
#pragma once

#include "soak/growth.h"

#include <cstdint>

namespace ferry::tools::soak {

/// Reads /proc and asks the devices. Sets each device and resets it, so other threads must not use
/// them meanwhile.
Holdings present_holdings(int32_t devices);

}  // namespace ferry::tools::soak
