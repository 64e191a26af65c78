// SPDX-License-Identifier: Apache-2.0
// What `ferry info` prints about devices that have several ways to copy.
#pragma once

#include <cstdint>

namespace ferry::tools {

/// Sends a few batches through a device and shows which way each took, and why. Prints nothing for
/// a device that has one way only. False when a call failed. Needs a product with batch copies.
bool show_ways(int32_t device);

}  // namespace ferry::tools
