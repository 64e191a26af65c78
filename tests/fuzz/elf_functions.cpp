// SPDX-License-Identifier: Apache-2.0
// The symbol tables of binaries that programs load.
#include "core/kernel/elf_functions.h"

#include "fuzz.h"

#include <algorithm>
#include <span>
#include <string>
#include <vector>

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace ferry;
  const std::vector<std::string> names = functions_of_elf(std::as_bytes(std::span(data, size)));
  fuzz::require(names.size() <= kMostElfFunctions, "the number of names is bounded");
  fuzz::require(std::is_sorted(names.begin(), names.end()), "names are sorted");
  fuzz::require(std::adjacent_find(names.begin(), names.end()) == names.end(), "names differ");
  fuzz::require(std::none_of(names.begin(), names.end(), [](const auto& n) { return n.empty(); }),
                "no name is empty");
  return 0;
}
