// SPDX-License-Identifier: Apache-2.0
// How long a plan takes on a device that a profile describes: a small deterministic simulation.
#pragma once

#include "replay/plan.h"
#include "replay/profile.h"

#include <cstdint>
#include <vector>

namespace ferry::tools::replay {

struct Prediction {
  double total = 0;           // ns from the first step to the end of the last one
  double host_blocked = 0;    // ns that threads waited, all together
  double device_busy = 0;     // ns during which some stream executed
  std::vector<double> begin;  // ns, of the execution of each step of the plan
  std::vector<double> end;
};

/// Pauses of the program count only when `keeps_pauses`.
Prediction predict(const Plan& plan, const Profile& profile, bool keeps_pauses = false);

}  // namespace ferry::tools::replay
