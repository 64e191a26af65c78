// SPDX-License-Identifier: Apache-2.0
// The layer that counts calls and makes calls fail on purpose, as a hand-written mock of this API
// would. Not in the call path until requested.
#pragma once

#include "base/config.h"
#include "dispatch/dispatch_table.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace ferry::layers::inject {

// The table with this layer on top of `next`, which must stay valid.
const DispatchTable& table_over(const DispatchTable& next);

// Adds a rule: the `nth` call from now fails with `code`; 0 means every call. Returns "" or what is
// wrong with the function name.
std::string add_failure(const FailureRule& rule);
void clear_failures();

void reset_counts();
// Calls since the layer was switched on or the counts were reset. False when there is no such
// function.
bool count_of(std::string_view function, uint64_t& count);

}  // namespace ferry::layers::inject
