// SPDX-License-Identifier: Apache-2.0
// Files that are part of the program, as they were when it was built: `ferry explain` needs no
// folder beside it. embed.cmake writes the definitions.
#pragma once

#include <span>
#include <string_view>

namespace ferry::tools {

struct Text {
  std::string_view name;  // of the file, without folder and extension
  std::string_view text;
};

/// The public headers. Their comments are the only description of the functions.
std::span<const Text> header_texts();

/// docs/rules: one page per rule of the checker.
std::span<const Text> rule_texts();

}  // namespace ferry::tools
