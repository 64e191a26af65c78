// SPDX-License-Identifier: Apache-2.0
// A report for other programs. docs/tracing.md describes the members; their names do not change.
#pragma once

#include "report/summary.h"
#include "trace/trace.h"

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace ferry::tools::report {

nlohmann::ordered_json json_of(const std::string& file, const trace::Trace& trace,
                               const Summary& summary);

/// Text of a trace may hold any bytes; those that are no UTF-8 are replaced.
std::string dumped(const nlohmann::ordered_json& json);

}  // namespace ferry::tools::report
