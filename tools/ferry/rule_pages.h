// SPDX-License-Identifier: Apache-2.0
// ferry explain RULE: the rules of the check, as the library lists them, and their pages.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace ferry::tools {

/// Prints what a rule is about, behind `separator`: its page where it is installed, else what the
/// library says. False when there is no such rule.
bool show_rule(std::string_view name, std::string_view separator);

/// Prints a table of all rules.
void show_rules();

/// Names of rules that look like this one.
std::vector<std::string> suggest_rules(std::string_view name);

}  // namespace ferry::tools
