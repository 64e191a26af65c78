// SPDX-License-Identifier: Apache-2.0
// What `ferry replay` prints.
#pragma once

#include "replay/measure.h"
#include "replay/plan.h"

#include <string>
#include <vector>

namespace ferry::tools::replay {

/// Times of a plan: measured, or predicted.
struct Outcome {
  Measurement total;
  // Of the steps in one direction alone; empty where the plan has only one direction.
  std::vector<std::pair<trace::Direction, double>> alone_ns;
};

struct ReplayReport {
  std::string file;
  std::string where;  // "2 devices of FERRY_DEVICES", or the profile
  bool is_predicted = false;
  bool keeps_pauses = false;
  const Plan* plan = nullptr;
  Outcome as_recorded;
  const Plan* batch_plan = nullptr;  // nullptr: not asked for
  Measurement as_batch;
};

std::string text_of(const ReplayReport& report);
std::string json_of(const ReplayReport& report);

}  // namespace ferry::tools::replay
