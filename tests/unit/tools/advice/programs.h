// SPDX-License-Identifier: Apache-2.0
// Well-written programs: rules must be silent about their traces.
#pragma once

#include "trace/trace.h"

#include <string>
#include <vector>

namespace ferry::tools::advice {

struct GoodProgram {
  std::string name;
  trace::Trace trace;
};

std::vector<GoodProgram> good_programs();

}  // namespace ferry::tools::advice
