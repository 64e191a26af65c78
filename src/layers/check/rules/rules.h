// SPDX-License-Identifier: Apache-2.0
// One function per rule, defined in the folder of the rule and listed in rules.cpp. The rule it
// returns is never destroyed.
#pragma once

#include "layers/check/rules/rule.h"

namespace ferry::layers::check {

Rule& host_write_in_flight_rule();
Rule& host_read_in_flight_rule();
Rule& free_in_flight_rule();
Rule& stream_race_rule();
Rule& sync_copy_race_rule();
Rule& out_of_bounds_rule();
Rule& use_after_free_rule();
Rule& uninitialised_read_rule();
Rule& overlap_rule();
Rule& batch_order_rule();
Rule& unaligned_rule();
Rule& blocking_async_rule();
Rule& wrong_context_rule();
Rule& no_context_rule();
Rule& stale_handle_rule();
Rule& unsynchronised_end_rule();
Rule& leak_rule();
Rule& callback_call_rule();

}  // namespace ferry::layers::check
