// SPDX-License-Identifier: Apache-2.0
// The layer that finds misuse. Enabled by the environment variable FERRY_CHECK.
#pragma once

#include "base/config.h"
#include "base/error.h"
#include "dispatch/dispatch_table.h"

namespace ferry::layers::check {

// Returns what is wrong with the configuration. Call once, before the program's first call
// proceeds.
Problem switch_on(const Config& config);

// Ends the report of a program that made no call, so that the layer was never switched on.
void report_no_calls(const Config& config, bool has_children);

// The table with this layer on top of `next`, which must stay valid.
const DispatchTable& table_over(const DispatchTable& next);

}  // namespace ferry::layers::check
