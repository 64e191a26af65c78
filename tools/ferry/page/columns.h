// SPDX-License-Identifier: Apache-2.0
// Columns of numbers as text for the page: base64 of the differences between neighbours, each a
// zigzag LEB128 number. js/data.js decodes them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace ferry::tools::page {

// Largest magnitude of numbers that the page computes with. Its language holds integers exactly up
// to 2^53; the zigzag form of a difference needs two bits more than a number.
constexpr int64_t kLargestExact = (int64_t{1} << 51) - 1;

class Column {
 public:
  // For numbers that the page computes with. Those beyond kLargestExact are cut off there.
  void add(int64_t value);
  void add_unsigned(uint64_t value);
  // For addresses and hashes, which the page only shows: all 64 bits.
  void add_wide(uint64_t value) { values_.push_back(value); }

  bool is_constant() const;
  uint64_t first() const { return values_.empty() ? 0 : values_.front(); }
  std::string encode() const;

 private:
  std::vector<uint64_t> values_;  // of signed ones the two's complement
};

}  // namespace ferry::tools::page
