// SPDX-License-Identifier: Apache-2.0
// What every fuzz target includes. A target feeds bytes to a parser and requires what must hold for
// all of them; sanitizers see the rest. libFuzzer calls it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string_view>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

namespace ferry::fuzz {

inline std::string_view text_of(const uint8_t* data, size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

// Ends the process with SIGABRT, which libFuzzer reports with the input.
inline void require(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "does not hold: %s\n", what);
  std::abort();
}

}  // namespace ferry::fuzz
