// SPDX-License-Identifier: Apache-2.0
// Priorities of streams: the seam's 0 to 7, 0 the most urgent, onto a range of CUDA, in which the
// most urgent is the lowest number.
#pragma once

#include <algorithm>
#include <cstdint>

namespace ferry::cuda {

constexpr uint32_t kLeastUrgentOfSeam = 7;

constexpr int cuda_priority(uint32_t priority, int most_urgent, int least_urgent) {
  const auto step = static_cast<int>(std::min(priority, kLeastUrgentOfSeam));
  return most_urgent + step * (least_urgent - most_urgent) / static_cast<int>(kLeastUrgentOfSeam);
}

}  // namespace ferry::cuda
