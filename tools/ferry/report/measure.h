// SPDX-License-Identifier: Apache-2.0
// What large copies reach on this machine, measured quickly or taken from a profile.
#pragma once

#include "report/summary.h"
#include "trace/trace.h"

#include <string>

namespace ferry::tools::report {

/// Measures the ways that copies of the trace went, in less than two seconds. Limits without ways
/// and with a reason when the devices of the trace are not of the kind of this machine's.
/// Starts AscendCL in this process, which must not have started it before.
Limits measure_limits(const trace::Trace& trace);

/// What large copies reach by a file of `ferry bench --profile`. Returns "", or one line that says
/// what is wrong with the file.
std::string read_limits(const std::string& path, Limits& limits);

}  // namespace ferry::tools::report
