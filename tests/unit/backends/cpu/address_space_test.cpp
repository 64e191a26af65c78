// SPDX-License-Identifier: Apache-2.0
// Taking and returning address ranges.
#include "backends/cpu/address_space.h"

#include <gtest/gtest.h>

#include <map>
#include <random>

namespace ferry::cpu {
namespace {

TEST(AddressSpace, TakesAlignedRangesUntilItIsFull) {
  AddressSpace space(0x100200, 0x10000);
  const uintptr_t first = space.take(0x1000, 0x1000);
  EXPECT_EQ(first % 0x1000, 0u);
  EXPECT_GE(first, 0x100200u);
  EXPECT_EQ(space.take(0x10000, 1), 0u);
  EXPECT_NE(space.take(0x200, 0x200), 0u);
}

TEST(AddressSpace, MergesWhatComesBack) {
  AddressSpace space(0x100000, 0x3000);
  const uintptr_t a = space.take(0x1000, 0x1000);
  const uintptr_t b = space.take(0x1000, 0x1000);
  const uintptr_t c = space.take(0x1000, 0x1000);
  EXPECT_EQ(space.take(1, 1), 0u);
  space.give_back(a);
  space.give_back(c);
  EXPECT_EQ(space.take(0x2000, 1), 0u) << "the free ranges are not adjacent";
  space.give_back(b);
  EXPECT_EQ(space.take(0x3000, 0x1000), 0x100000u);
}

TEST(AddressSpace, NeverHandsOutAByteTwice) {
  constexpr uintptr_t kStart = 0x40000000;
  constexpr uint64_t kSize = 1 << 20;
  AddressSpace space(kStart, kSize);
  std::mt19937_64 random(3);
  std::map<uintptr_t, uint64_t> taken;
  for (int i = 0; i < 20000; ++i) {
    const uint64_t size = 512 * (1 + random() % 64);
    const uint64_t alignment = uint64_t{512} << random() % 4;
    if (const uintptr_t got = space.take(size, alignment); got != 0) {
      ASSERT_EQ(got % alignment, 0u);
      ASSERT_TRUE(got >= kStart && got + size <= kStart + kSize);
      const auto next = taken.lower_bound(got);
      ASSERT_TRUE(next == taken.end() || next->first >= got + size);
      ASSERT_TRUE(next == taken.begin() || std::prev(next)->first + std::prev(next)->second <= got);
      taken.emplace(got, size);
    }
    if (taken.size() > 20 || random() % 3 == 0) {
      const auto gone = std::next(taken.begin(), static_cast<ptrdiff_t>(random() % taken.size()));
      space.give_back(gone->first);
      taken.erase(gone);
    }
  }
  for (const auto& entry : taken)
    space.give_back(entry.first);
  EXPECT_EQ(space.take(kSize, 1), kStart) << "everything is one range again";
}

TEST(AddressSpace, ReservationsHaveNoRightsAndAreAligned) {
  const Reservation reserved(uint64_t{64} << 20, 4096);
  EXPECT_EQ(reserved.size(), uint64_t{64} << 20);
  EXPECT_EQ(reserved.start() % (uint64_t{2} << 20), 0u);
  GTEST_FLAG_SET(death_test_style, "threadsafe");  // other tests have left threads
  EXPECT_DEATH(*reinterpret_cast<volatile char*>(reserved.start()) = 1, "");
  EXPECT_EQ(Reservation(uint64_t{1} << 62, uint64_t{1} << 61).size(), 0u);
}

}  // namespace
}  // namespace ferry::cpu
