// SPDX-License-Identifier: Apache-2.0
// ferry run --repeat: one program under many schedules.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace ferry::tools {

struct Repeats {
  uint64_t count = 0;  // 0: the program runs once, without a seed
  uint64_t first_seed = 1;
  bool keeps_going = false;  // after a run that failed
  // The given options of `ferry run`, without those above: they are part of the command that
  // repeats one run.
  std::vector<std::string> options{};
};

/// Runs the program once per seed under the schedule shuffle:SEED. A run's output is shown if it
/// fails. Returns the exit code of the first run that failed, as a shell gives it, or 0.
int repeat(const std::vector<std::string>& command, const Repeats& repeats);

}  // namespace ferry::tools
