// SPDX-License-Identifier: Apache-2.0
// Shared by the tests of aclrtMemsetD32 and aclrtMemsetD32Async: words instead of bytes.
#pragma once

#include "support/copies.h"

#include <algorithm>
#include <cstring>

namespace conformance::copies {

inline std::vector<uint32_t> words_of(const std::vector<uint8_t>& bytes) {
  std::vector<uint32_t> words(bytes.size() / 4);
  std::memcpy(words.data(), bytes.data(), words.size() * 4);
  return words;
}

// Numbers of words whose size in bytes overflows a size_t.
inline const size_t kTooManyWords[] = {(size_t{1} << 62), (size_t{1} << 62) + 1, SIZE_MAX};

}  // namespace conformance::copies
