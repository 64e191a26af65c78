// SPDX-License-Identifier: Apache-2.0
// Turns consecutive small copies into batches, as the advice "many small copies" says.
#pragma once

#include "replay/plan.h"

#include <cstdint>
#include <functional>

namespace ferry::tools::replay {

struct BatchRule {
  uint64_t largest = 1 << 20;  // bytes of a copy that may become an item
  uint32_t fewest = 2;         // copies that become a batch
  /// When set, only the steps it accepts become items.
  std::function<bool(const Step&)> accepts;
};

/// A copy becomes an item when it is queued and goes between pinned memory and a device. A group
/// has one thread, stream, device and direction, and takes the place of its last copy. It ends
/// before anything that its copies must not pass: other steps of the stream, whatever the host
/// waits for in the same thread or on the stream's device, and steps that overlap its memory.
/// Items that continue the one before on both sides are merged; a group that becomes one item is a
/// copy. The device must have batch copies (A2, A3 and 950 series).
Plan as_batch(const Plan& plan, const BatchRule& rule = {});

}  // namespace ferry::tools::replay
