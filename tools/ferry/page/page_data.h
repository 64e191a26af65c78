// SPDX-License-Identifier: Apache-2.0
// The trace as the page's script reads it: JSON whose tables are columns (columns.h).
#pragma once

#include "page/page.h"

#include <string>

namespace ferry::tools::page {

// May stand inside a script element: it contains no "<".
std::string page_data(const trace::Trace& trace, const Extras& extras);

}  // namespace ferry::tools::page
