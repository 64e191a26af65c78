// SPDX-License-Identifier: Apache-2.0
// What the report and the advice know about a trace, as the page shows it.
#pragma once

#include "advice/advice.h"
#include "page/page.h"
#include "report/summary.h"

#include <vector>

namespace ferry::tools::page {

Extras extras_of(const trace::Trace& trace, const report::Summary& summary,
                 const std::vector<advice::Advice>& advice);

}  // namespace ferry::tools::page
