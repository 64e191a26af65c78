// SPDX-License-Identifier: Apache-2.0
// Ranges inside, across the end of and outside the only allocation.
#include "base/live_memory.h"

#include <gtest/gtest.h>

namespace ferry {
namespace {

char* const kAddress = reinterpret_cast<char*>(0x10000);
char* const kStorage = reinterpret_cast<char*>(0x90000);
constexpr uint64_t kSize = 256;

int find_memory(const void* address, ferryx_memory* found) {
  const auto offset = static_cast<const char*>(address) - kAddress;
  if (offset < 0 || offset >= static_cast<ptrdiff_t>(kSize)) return 0;
  *found = {.address = kAddress, .size = kSize, .storage = kStorage, .kind = 0, .device = 0};
  return 1;
}

ferryx_runtime one_allocation() {
  ferryx_runtime runtime{};
  runtime.find_memory = find_memory;
  return runtime;
}

TEST(LiveMemory, IsFoundWhereTheStorageLies) {
  const ferryx_runtime runtime = one_allocation();
  EXPECT_EQ(live_storage(runtime, kAddress, kSize), kStorage);
  EXPECT_EQ(live_storage(runtime, kAddress + 200, 56), kStorage + 200);
}

TEST(LiveMemory, IsNotFoundAcrossOrPastTheEnd) {
  const ferryx_runtime runtime = one_allocation();
  EXPECT_EQ(live_storage(runtime, kAddress + 200, 57), nullptr);
  EXPECT_EQ(live_storage(runtime, kAddress + kSize, 1), nullptr);
  EXPECT_EQ(live_storage(runtime, kAddress + 1, UINT64_MAX), nullptr);
}

TEST(LiveMemory, SaysWhatIsWrong) {
  const ferryx_runtime runtime = one_allocation();
  EXPECT_EQ(not_live(runtime, "dst", kAddress + 200, 57),
            "dst is 0x100c8 and 57 bytes, which leaves its allocation of 256 bytes at 0x10000");
  EXPECT_EQ(not_live(runtime, "src of item 3", kAddress + kSize, 1),
            "src of item 3 is 0x10100 and 1 bytes, which is not in any live allocation");
}

TEST(LiveMemory, NumbersItemsOnlyAmongSeveral) {
  EXPECT_EQ(item_name("dst", 0, 1), "dst");
  EXPECT_EQ(item_name("src", 0, 2), "src of item 0");
}

TEST(LiveMemory, SpansRowsUpToTheLastByte) {
  ferryx_rows rows{};
  rows.corner.size = 10;
  rows.height = 3;
  EXPECT_EQ(span_of(rows, 100), 210u);
  rows.height = UINT64_MAX;
  EXPECT_EQ(span_of(rows, 100), UINT64_MAX);
}

}  // namespace
}  // namespace ferry
