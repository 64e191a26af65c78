// SPDX-License-Identifier: Apache-2.0
// The names of the functions that an ELF file defines. A name only helps the reader of a message:
// no code of a binary is ever executed.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace ferry {

// Sorted, each once; at most kMostElfFunctions. Empty for bytes that are no ELF file of 64 bits, or
// a damaged one. Throws std::bad_alloc.
constexpr size_t kMostElfFunctions = 4096;
std::vector<std::string> functions_of_elf(std::span<const std::byte> file);

}  // namespace ferry
