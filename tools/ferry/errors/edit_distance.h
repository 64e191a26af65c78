// SPDX-License-Identifier: Apache-2.0
// How far a mistyped word is from a known one. The caller chooses among candidates.
#pragma once

#include <cstddef>
#include <string_view>

namespace ferry::tools {

/// Fewest single edits (insert, delete, replace, swap of two neighbours) that turn a into b.
std::size_t edit_distance(std::string_view a, std::string_view b);

}  // namespace ferry::tools
