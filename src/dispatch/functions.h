// SPDX-License-Identifier: Apache-2.0
// The list of functions as data: name, chapter, and whether each is implemented.
#pragma once

#include "ferry/ferry.h"

#include <algorithm>
#include <array>
#include <cstddef>

namespace ferry {
namespace function_list {

// The list as written: an entry without a name begins a chapter.
inline constexpr ferryFunction kWritten[] = {
#define FERRY_API_CHAPTER(name) {nullptr, name, 0},
#define FERRY_API(result, name, ...) {#name, nullptr, 1},
#define FERRY_API_REFUSED(result, name, ...) {#name, nullptr, 0},
#include "dispatch/api_list.def"
};

constexpr size_t count_functions() {
  return static_cast<size_t>(
      std::count_if(std::begin(kWritten), std::end(kWritten),
                    [](const ferryFunction& entry) { return entry.name != nullptr; }));
}

}  // namespace function_list

// Every exported function, chapter by chapter.
inline constexpr auto kFunctions = [] {
  std::array<ferryFunction, function_list::count_functions()> functions{};
  size_t count = 0;
  const char* chapter = nullptr;
  for (const ferryFunction& entry : function_list::kWritten) {
    if (entry.name == nullptr) {
      chapter = entry.chapter;
    } else {
      functions[count++] = {entry.name, chapter, entry.works};
    }
  }
  return functions;
}();

}  // namespace ferry
