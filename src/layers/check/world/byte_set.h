// SPDX-License-Identifier: Apache-2.0
// A set of bytes, kept as ranges that are neither adjacent nor overlapping.
#pragma once

#include "layers/check/order/history.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>

namespace ferry::layers::check {

// Not safe to share between threads: protected by the owner's lock.
class ByteSet {
 public:
  void add(const Range& range);
  void remove(const Range& range);
  // The first contiguous bytes of `range` that are not in the set.
  std::optional<Range> first_missing(const Range& range) const;
  size_t range_count() const { return ranges_.size(); }

 private:
  std::map<uintptr_t, uintptr_t> ranges_;  // first byte -> one past the last
};

}  // namespace ferry::layers::check
