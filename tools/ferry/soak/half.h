// SPDX-License-Identifier: Apache-2.0
// One half of a soak: rounds until the time is over, with or without the checker.
#pragma once

#include <chrono>
#include <cstdint>

namespace ferry::tools::soak {

enum class Checker { kOff, kOn };

struct Half {
  Checker checker = Checker::kOff;
  std::chrono::milliseconds length{};
  uint32_t workers = 0;
};

/// Runs the half in this process, which must not have used the library before, and prints what it
/// held. Returns the exit code.
int run_half(const Half& half);

/// "with the checker" or "without the checker".
const char* name_of(Checker checker);

}  // namespace ferry::tools::soak
