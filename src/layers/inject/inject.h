// SPDX-License-Identifier: Apache-2.0
// The layer that counts calls and makes calls fail on purpose, as a hand-written mock of this API
// would. Not in the call path until requested. Tasks that are to fail when they run: front.h.
#pragma once

#include "base/failure_rule.h"
#include "dispatch/dispatch_table.h"
#include "layers/inject/rules.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace ferry::layers::inject {

// The table with this layer on top of `next`, which must stay valid.
const DispatchTable& table_over(const DispatchTable& next);

// Adds a rule. Returns "" or what is wrong with the function name, or with the function for this
// rule.
std::string add_failure(const FailureRule& rule);
void clear_failures();

// A function has queued a task on the stream with this id: what happens when it runs.
Effect strike_task(std::string_view function, int32_t stream);

void reset_counts();
// Calls since the layer was switched on or the counts were reset. False when there is no such
// function.
bool count_of(std::string_view function, uint64_t& count);

}  // namespace ferry::layers::inject
