// SPDX-License-Identifier: Apache-2.0
// The advice of a report: with the profile that was named, or with one that is measured now.
#pragma once

#include "advice/advice.h"
#include "report/summary.h"
#include "trace/symbols.h"
#include "trace/trace.h"

#include <string>
#include <vector>

namespace ferry::tools::report {

struct Advised {
  std::vector<advice::Advice> list;
  std::string reason;  // why there is none although something was found; else ""
  std::string wrong;   // what is wrong with the profile
};

/// With an empty `profile`, this machine is measured if limits could be, and only when a rule has
/// found something. Starts AscendCL in this process, which must not run it.
Advised advise(const trace::Trace& trace, const Limits& limits, const std::string& profile);

/// The section of the terminal. Symbols name call sites.
void print_advice(const Advised& advised, trace::Symbols& symbols);
/// Names call sites with `symbols`, which must outlive the result.
advice::NameOfSite name_of_site(trace::Symbols& symbols);

}  // namespace ferry::tools::report
