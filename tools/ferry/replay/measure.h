// SPDX-License-Identifier: Apache-2.0
// Runs plans several times, in turns, and takes medians.
#pragma once

#include "replay/plan.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ferry::tools::replay {

struct MeasureSettings {
  uint32_t rounds = 9;
  bool keeps_pauses = false;
  bool verifies = false;  // compares every byte after a run of each plan
};

/// What one plan took.
struct Measurement {
  double median_ns = 0;
  std::vector<double> rounds_ns;
};

/// Initialises the library, sets the devices, and runs each plan once before the rounds. In a round
/// each plan has its turn. The plans must have the same regions. Returns "", or what is wrong.
std::string measure(const std::vector<const Plan*>& plans, const MeasureSettings& settings,
                    std::vector<Measurement>& results);

double median_of(std::vector<double> values);

}  // namespace ferry::tools::replay
