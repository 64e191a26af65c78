// SPDX-License-Identifier: Apache-2.0
// The best of a few copies, so that a moment without a core does not count.
#include "plugins/fabric/packing.h"

#include "plugins/fabric/buffers.h"

#include <chrono>
#include <cstring>
#include <limits>

namespace ferry::fabric {

double measure_copying() {
  constexpr size_t kBytes = size_t{256} << 10;
  constexpr int kTimes = 5;
  using Clock = std::chrono::steady_clock;
  const Buffer from(kBytes, kBytes);
  const Buffer to(kBytes, kBytes);
  std::memset(from.data(), 1, kBytes);
  double best = std::numeric_limits<double>::max();
  for (int i = 0; i < kTimes; ++i) {
    const Clock::time_point start = Clock::now();
    std::memcpy(to.data(), from.data(), kBytes);
    const std::chrono::duration<double, std::nano> time = Clock::now() - start;
    const volatile uint8_t kept = to.data()[kBytes - 1];  // so that the copy is not left out
    static_cast<void>(kept);
    best = std::min(best, time.count());
  }
  return best / kBytes;
}

}  // namespace ferry::fabric
