// SPDX-License-Identifier: Apache-2.0
// Maps stream priorities of the backend interface, 0 (the most urgent) to 7, onto CUDA's range, in
// which the lowest number is the most urgent.
#pragma once

#include <algorithm>
#include <cstdint>

namespace ferry::cuda {

constexpr uint32_t kLeastUrgent = 7;

constexpr int cuda_priority(uint32_t priority, int most_urgent, int least_urgent) {
  const auto step = static_cast<int>(std::min(priority, kLeastUrgent));
  return most_urgent + step * (least_urgent - most_urgent) / static_cast<int>(kLeastUrgent);
}

}  // namespace ferry::cuda
