// SPDX-License-Identifier: Apache-2.0
// A plan as it would be if the program followed an advice.
#pragma once

#include "advice/candidate.h"
#include "replay/plan.h"

namespace ferry::tools::advice {

// All of the change but `captured`, which is no other plan but other costs.
replay::Plan changed(const replay::Plan& plan, const Change& change);

}  // namespace ferry::tools::advice
