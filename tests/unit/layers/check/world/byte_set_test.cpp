// SPDX-License-Identifier: Apache-2.0
// Sets of bytes compared with one flag per byte.
#include "layers/check/world/byte_set.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bitset>
#include <random>

namespace ferry::layers::check {
namespace {

constexpr size_t kBytes = 64;
using Flags = std::bitset<kBytes + 1>;  // one more, never set: the end of every run

size_t count_runs(const Flags& flags) {
  size_t runs = 0;
  for (size_t i = 0; i < kBytes; ++i) {
    runs += flags[i] && !flags[i + 1] ? 1 : 0;
  }
  return runs;
}

// The first run of missing bytes; empty when there is none.
Range first_missing(const Flags& flags, const Range& range) {
  Range missing{range.begin, range.begin};
  while (missing.begin < range.end && flags[missing.begin]) {
    ++missing.begin;
  }
  missing.end = missing.begin;
  while (missing.end < range.end && !flags[missing.end]) {
    ++missing.end;
  }
  return missing;
}

TEST(ByteSetTest, agrees_with_one_flag_a_byte) {
  std::mt19937 random(20);
  const auto pick = [&](size_t count) {
    return std::uniform_int_distribution<size_t>(0, count - 1)(random);
  };
  for (int round = 0; round < 500; ++round) {
    ByteSet set;
    Flags flags;
    for (int step = 0; step < 60; ++step) {
      const Range range{pick(kBytes), pick(kBytes + 1)};  // a third of them empty or backwards
      const bool is_added = pick(5) < 3;
      is_added ? set.add(range) : set.remove(range);
      for (uintptr_t i = range.begin; i < range.end; ++i) {
        flags[i] = is_added;
      }
      ASSERT_EQ(set.range_count(), count_runs(flags));
      const uintptr_t begin = pick(kBytes);
      const Range asked{begin, begin + 1 + pick(kBytes - begin)};
      const Range expected = first_missing(flags, asked);
      const auto missing = set.first_missing(asked);
      ASSERT_EQ(missing.has_value(), expected.begin < expected.end);
      if (!missing.has_value()) continue;
      ASSERT_EQ(missing->begin, expected.begin);
      ASSERT_EQ(missing->end, expected.end);
    }
  }
}

TEST(ByteSetTest, nothing_is_missing_from_no_bytes) {
  EXPECT_FALSE(ByteSet().first_missing({8, 8}).has_value());
}

TEST(ByteSetTest, ranges_that_touch_become_one) {
  ByteSet set;
  set.add({0, 8});
  set.add({16, 24});
  EXPECT_EQ(set.range_count(), 2u);
  set.add({8, 16});
  EXPECT_EQ(set.range_count(), 1u);
}

TEST(ByteSetTest, the_last_byte_of_the_address_space_can_be_added) {
  ByteSet set;
  set.add({UINTPTR_MAX - 8, UINTPTR_MAX});
  EXPECT_FALSE(set.first_missing({UINTPTR_MAX - 4, UINTPTR_MAX}).has_value());
}

}  // namespace
}  // namespace ferry::layers::check
