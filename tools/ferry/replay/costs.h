// SPDX-License-Identifier: Apache-2.0
// What a profile says about single steps of a plan.
#pragma once

#include "replay/plan.h"
#include "replay/profile.h"

#include <cstdint>

namespace ferry::tools::replay {

struct StepCost {
  double host = 0;  // ns that the call takes, beside what it waits for
  // ns until work begins on a stream that has nothing else to do. Negative: ns that such work takes
  // less than one of many.
  double latency = 0;
  double device = 0;    // ns of execution, alone on the device
  bool blocks = false;  // the call returns when its work is done
};

class Costs {
 public:
  Costs(const Plan& plan, const Profile& profile);
  StepCost of(const Step& step) const;

 private:
  StepCost of_copy(const Step& step) const;
  StepCost of_batch(const Step& step) const;
  StepCost of_rows(const Step& step) const;
  StepCost of_fill(const Step& step) const;
  double items_ns(const Step& step, const Lane& lane) const;

  const Plan& plan_;
  const Profile& profile_;
  uint64_t footprint_;
};

/// The bytes that the plan's copies touch, each counted once.
uint64_t footprint_of(const Plan& plan);

}  // namespace ferry::tools::replay
