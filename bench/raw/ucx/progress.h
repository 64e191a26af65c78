// SPDX-License-Identifier: Apache-2.0
// Waiting while UCX makes progress, with a limit.
#pragma once

#include "bench/raw/ucx/side.h"

#include <chrono>
#include <stdexcept>

namespace ferry::bench::ucx {

/// Long enough for every loop here; a peer that is gone without a word must not hang the benchmark.
constexpr std::chrono::seconds kPatience{20};

template <class Condition>
void Side::poll_until(const Condition& is_over) {
  const auto limit = std::chrono::steady_clock::now() + kPatience;
  size_t fruitless = 0;
  while (!is_over()) {
    fruitless = poll() ? 0 : fruitless + 1;
    if (fruitless < kSpins) continue;
    if (std::chrono::steady_clock::now() > limit) {
      throw std::runtime_error("raw UCX: the peer does not answer");
    }
    sleep();
  }
}

}  // namespace ferry::bench::ucx
