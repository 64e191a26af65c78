// SPDX-License-Identifier: Apache-2.0
// ferry explain FUNCTION and ferry explain VARIABLE.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace ferry::tools {

/// Prints what a function does and its codes in order, after `separator`. False when the headers do
/// not declare it.
bool show_function(std::string_view name, std::string_view separator);

/// Prints what an environment variable does, what it may be and what it is. False when the library
/// does not read it.
bool show_variable(std::string_view name, std::string_view separator);

/// The function or variable that a mistyped word may have meant; "" for none.
std::string similar_function(std::string_view name);
std::string similar_variable(std::string_view name);

}  // namespace ferry::tools
