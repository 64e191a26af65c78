// SPDX-License-Identifier: Apache-2.0
// ferry explain RULE: the checker's rules, as the library lists them, and their pages.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace ferry::tools {

/// Prints what a rule is about, after `separator`: its page, or what the library says if there is
/// none. False when there is no such rule.
bool show_rule(std::string_view name, std::string_view separator);

/// Prints a table of all rules.
void show_rules();

/// Names of rules that are similar to this one.
std::vector<std::string> suggest_rules(std::string_view name);

}  // namespace ferry::tools
