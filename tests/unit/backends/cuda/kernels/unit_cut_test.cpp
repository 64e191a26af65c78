// SPDX-License-Identifier: Apache-2.0
// Cutting ranges for warps: every alignment and every short length.
#include "backends/cuda/kernels/unit_cut.h"

#include <gtest/gtest.h>

namespace ferry::cuda {
namespace {

constexpr uint64_t kBase = 4096;

void check(const Unit& unit) {
  const Cut made = cut(unit);
  ASSERT_EQ(made.head + made.vectors * kVector + made.tail, unit.size);
  ASSERT_LE(made.head, kLanes);
  ASSERT_LE(made.tail, kLanes);
  if (made.vectors == 0) return;
  ASSERT_EQ((unit.dst + made.head) % kVector, 0u);
  ASSERT_EQ((unit.src + made.head - made.shift) % kVector, 0u);
  ASSERT_LT(made.shift, kVector);
  ASSERT_GE(unit.src + made.head - made.shift, unit.src) << "reads before the range";
  const uint64_t loads = made.vectors + (made.shift > 0 ? 1 : 0);
  ASSERT_LE(unit.src + made.head - made.shift + loads * kVector, unit.src + unit.size)
      << "reads past the range";
}

TEST(UnitCut, StaysInsideTheRange) {
  for (uint64_t dst = 0; dst < kVector; ++dst) {
    for (uint64_t src = 0; src < kVector; ++src) {
      for (uint32_t size = 0; size < 200; ++size) {
        ASSERT_NO_FATAL_FAILURE(check({kBase + dst, kBase + src, size}))
            << "dst " << dst << ", src " << src << ", size " << size;
      }
    }
  }
}

TEST(UnitCut, TakesAlignedRangesWhole) {
  const Cut made = cut({kBase, 2 * kBase, 16384});
  EXPECT_EQ(made.vectors, 1024u);
  EXPECT_EQ(made.head + made.tail + made.shift, 0u);
}

TEST(UnitCut, LosesNoMoreThanTheEdgesOfShiftedRanges) {
  const Cut made = cut({kBase + 3, kBase + 8, 16384});
  EXPECT_GE(made.vectors, 1021u);
  EXPECT_GT(made.shift, 0u);
}

TEST(UnitCut, IsEmptyForNothing) {
  const Cut made = cut({});
  EXPECT_EQ(made.head + made.vectors + made.tail, 0u);
}

}  // namespace
}  // namespace ferry::cuda
