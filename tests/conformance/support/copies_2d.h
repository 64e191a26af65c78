// SPDX-License-Identifier: Apache-2.0
// Shared by the tests of aclrtMemcpy2d and aclrtMemcpy2dAsync: a rectangle of rows on both sides.
#pragma once

#include "support/copies.h"

#include <algorithm>

namespace conformance::copies {

// The shape of a 2D copy.
struct Shape {
  size_t dpitch;
  size_t spitch;
  size_t width;
  size_t height;

  // The bytes from the first row to the end of the last one.
  size_t dst_bytes() const { return (height - 1) * dpitch + width; }
  size_t src_bytes() const { return (height - 1) * spitch + width; }

  // The result of writing the rows of `source` into `before`.
  std::vector<uint8_t> put(const std::vector<uint8_t>& source, std::vector<uint8_t> before) const {
    for (size_t row = 0; row < height; ++row) {
      std::copy_n(source.begin() + static_cast<ptrdiff_t>(row * spitch), width,
                  before.begin() + static_cast<ptrdiff_t>(row * dpitch));
    }
    return before;
  }
};

inline const Shape kShapes[] = {
    {1, 1, 1, 1},    {10, 10, 10, 7},    {64, 100, 33, 5}, {100, 64, 33, 5},
    {77, 99, 1, 50}, {500, 500, 500, 1}, {3, 3, 2, 1000},  {4099, 4097, 4096, 3},
};

}  // namespace conformance::copies
