// SPDX-License-Identifier: Apache-2.0
// Calls a hook of all rules that are on.
#pragma once

#include "layers/check/world/world.h"

namespace ferry::layers::check {

template <class Hook, class... Arguments>
void tell_rules(World& world, Hook hook, const Arguments&... arguments) {
  for (Rule* rule : all_rules()) {
    if (is_wanted(rule->info())) (rule->*hook)(world, arguments...);
  }
}

}  // namespace ferry::layers::check
