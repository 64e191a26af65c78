// SPDX-License-Identifier: Apache-2.0
// The list of rules, in the order of the documentation. A rule is created on first use and never
// destroyed: programs call the runtime until the very end, even from exit handlers and destructors.
#include "layers/check/rules/rules.h"

namespace ferry::layers::check {

std::span<Rule* const> all_rules() {
  static Rule* const rules[] = {
#define FERRY_RULE(name) &name##_rule(),
#include "layers/check/rules/rules.def"
  };
  return rules;
}

}  // namespace ferry::layers::check
