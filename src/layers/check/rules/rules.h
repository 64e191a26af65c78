// SPDX-License-Identifier: Apache-2.0
// One function per rule, defined in the folder of the rule and listed in rules.def. The rule it
// returns is never destroyed.
#pragma once

#include "layers/check/rules/rule.h"

namespace ferry::layers::check {

#define FERRY_RULE(name) Rule& name##_rule();
#include "layers/check/rules/rules.def"

// The base of the rule with this info.
template <const RuleInfo& kInfo>
class RuleOf : public Rule {
 public:
  RuleOf() : Rule(kInfo) {}
};

// The one object of a rule.
template <class Kind>
Rule& only() {
  static auto* const rule = new Kind;
  return *rule;
}

}  // namespace ferry::layers::check
