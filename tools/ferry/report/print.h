// SPDX-License-Identifier: Apache-2.0
// A report on the terminal.
#pragma once

#include "report/sections.h"

#include <string>
#include <vector>

namespace ferry::tools::report {

void print_section(const Section& section);
void print_report(const trace::Trace& trace, const Summary& summary, size_t top);

}  // namespace ferry::tools::report
