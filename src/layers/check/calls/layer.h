// SPDX-License-Identifier: Apache-2.0
// The layer that finds misuse: its place in the path of calls, switched on by the environment
// variable FERRY_CHECK.
#pragma once

#include "base/config.h"
#include "base/error.h"
#include "dispatch/dispatch_table.h"

namespace ferry::layers::check {

// Returns what is wrong with the configuration. To be called once, before the first call of the
// program goes on.
Problem switch_on(const Config& config);

// The table with this layer on top of `next`, which must stay valid.
const DispatchTable& table_over(const DispatchTable& next);

}  // namespace ferry::layers::check
