// SPDX-License-Identifier: Apache-2.0
// Work whose addresses stand in device memory: what it turned out to touch when it started.
#pragma once

#include "layers/check/world/task.h"

#include <span>

namespace ferry::layers::check {

// Source and destination, in this order; empty for other work, and where the host cannot read the
// addresses. Before them stand the descriptor, or the two cells, which the call itself names.
inline std::span<const TaskRange> found_ranges(const Task& task) {
  if (!task.find_ranges || task.ranges.size() < 3) return {};
  return std::span(task.ranges).last(2);
}

}  // namespace ferry::layers::check
