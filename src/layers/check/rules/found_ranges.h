// SPDX-License-Identifier: Apache-2.0
// The ranges of work whose addresses are stored in device memory, as found when it started.
#pragma once

#include "layers/check/world/task.h"

#include <span>

namespace ferry::layers::check {

// Source and destination, in this order; empty for other work, and where the host cannot read the
// addresses. The ranges before them are the descriptor or the two words that the call itself names.
inline std::span<const TaskRange> found_ranges(const Task& task) {
  if (!task.find_ranges || task.ranges.size() < 3) return {};
  return std::span(task.ranges).last(2);
}

}  // namespace ferry::layers::check
