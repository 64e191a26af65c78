// SPDX-License-Identifier: Apache-2.0
// The table of live ranges, and messages about addresses outside of them.
#include "backends/cuda/memory/range_table.h"

#include "backends/cuda/queue/fault.h"

#include <gtest/gtest.h>

namespace ferry::cuda {
namespace {

ferryx_memory range(uint64_t start, uint64_t size) {
  ferryx_memory memory{};
  memory.storage = reinterpret_cast<void*>(start);
  memory.size = size;
  return memory;
}

Lookup find(const std::vector<Range>& table, uint64_t address, uint64_t size) {
  return look_up(table.data(), static_cast<uint32_t>(table.size()), address, size);
}

TEST(RangeTable, FindsWhatIsInside) {
  const std::vector<Range> table = make_table({range(5000, 100), range(1000, 50), range(9000, 1)});
  EXPECT_EQ(find(table, 1000, 50), Lookup::kInside);
  EXPECT_EQ(find(table, 5099, 1), Lookup::kInside);
  EXPECT_EQ(find(table, 9000, 1), Lookup::kInside);
}

TEST(RangeTable, TellsLeavingFromOutside) {
  const std::vector<Range> table = make_table({range(5000, 100), range(1000, 50)});
  EXPECT_EQ(find(table, 1000, 51), Lookup::kLeaving);
  EXPECT_EQ(find(table, 5050, UINT64_MAX), Lookup::kLeaving);
  EXPECT_EQ(find(table, 999, 1), Lookup::kOutside);
  EXPECT_EQ(find(table, 1050, 1), Lookup::kOutside);
  EXPECT_EQ(find(table, 5100, 1), Lookup::kOutside);
  EXPECT_EQ(find(table, UINT64_MAX, 1), Lookup::kOutside);
  EXPECT_EQ(find({}, 1, 1), Lookup::kOutside);
}

TEST(RangeTable, KeepsNeighboursApart) {
  const std::vector<Range> table = make_table({range(1000, 50), range(1050, 50)});
  ASSERT_EQ(table.size(), 2u);
  EXPECT_EQ(find(table, 1040, 20), Lookup::kLeaving);
}

TEST(RangeTable, MakesOneOfTwoViewsOfTheSameMemory) {
  const std::vector<Range> table =
      make_table({range(1000, 50), range(1000, 100), range(1020, 10), range(0, 0)});
  ASSERT_EQ(table.size(), 1u);
  EXPECT_EQ(find(table, 1000, 100), Lookup::kInside);
}

TEST(Fault, IsSaidInWords) {
  FaultSlot slot;
  EXPECT_EQ(describe(slot), "");
  slot.code = static_cast<uint32_t>(Fault::kSrc);
  slot.address = 0xabc0;
  slot.size = 64;
  EXPECT_EQ(describe(slot), "src is 0xabc0 and 64 bytes, which is not in any live allocation");
  slot.code = static_cast<uint32_t>(Fault::kDescriptor);
  slot.is_inside = 1;
  EXPECT_EQ(describe(slot), "desc is 0xabc0 and 64 bytes, which leaves its allocation");
}

}  // namespace
}  // namespace ferry::cuda
