// SPDX-License-Identifier: Apache-2.0
// The list of rules, in the order of the documentation. A rule is created on first use and never
// destroyed: programs call the runtime until the very end, even from exit handlers and destructors.
#include "layers/check/rules/rules.h"

namespace ferry::layers::check {

std::span<Rule* const> all_rules() {
  static Rule* const rules[] = {
      &host_write_in_flight_rule(),
      &host_read_in_flight_rule(),
      &free_in_flight_rule(),
      &stream_race_rule(),
      &sync_copy_race_rule(),
      &out_of_bounds_rule(),
      &use_after_free_rule(),
      &uninitialised_read_rule(),
      &overlap_rule(),
      &batch_order_rule(),
      &unaligned_rule(),
      &blocking_async_rule(),
      &wrong_context_rule(),
      &no_context_rule(),
      &stale_handle_rule(),
      &unsynchronised_end_rule(),
      &leak_rule(),
      &callback_call_rule(),
  };
  return rules;
}

}  // namespace ferry::layers::check
