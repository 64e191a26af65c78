// SPDX-License-Identifier: Apache-2.0
// Turning batches into lists of items.
#include "backends/cuda/transfer/coalesce.h"

#include <gtest/gtest.h>

#include <memory>
#include <vector>

namespace ferry::cuda {
namespace {

constexpr uint64_t kHost = uint64_t{1} << 40;
constexpr uint64_t kDevice = uint64_t{1} << 44;
constexpr uint64_t kAllocation = uint64_t{1} << 30;

// Adjacent allocations of 1 GiB; kernels cannot access every second one on the device.
struct World {
  int asked = 0;

  static Extent find(void* context, uint64_t address) {
    ++static_cast<World*>(context)->asked;
    const uint64_t start = address / kAllocation * kAllocation;
    const bool is_far = address >= kDevice && (address - kDevice) / kAllocation % 2 == 1;
    return {.start = start, .end = start + kAllocation, .is_reachable = !is_far};
  }
};

struct CoalesceTest : ::testing::Test {
  void add(uint64_t dst, uint64_t src, uint64_t size) {
    ferryx_copy item{};
    item.dst_storage = reinterpret_cast<void*>(kDevice + dst);
    item.src_storage = reinterpret_cast<void*>(kHost + src);
    item.size = size;
    items.push_back(item);
  }
  Reach run(Judge judge = Judge::kNothing) { return gather(items, judge, extents, lists); }

  std::vector<ferryx_copy> items;
  World world;
  KnownExtents extents{World::find, &world};
  std::unique_ptr<char[]> memory{new char[kListBytes]};
  ItemLists lists = ItemLists::in(memory.get());
};

TEST_F(CoalesceTest, KeepsItemsThatDoNotContinueEachOther) {
  add(0, 5000, 100);
  add(200, 5100, 100);
  add(300, 5300, 100);
  EXPECT_EQ(run(), Reach::kAll);
  ASSERT_EQ(lists.small.count, 3u);
  EXPECT_EQ(lists.small.bytes, 300u);
  EXPECT_EQ(lists.small.largest, 100u);
  EXPECT_EQ(lists.small_items().dst[1], kDevice + 200);
  EXPECT_EQ(lists.small_items().src[1], kHost + 5100);
  EXPECT_EQ(lists.small_items().size[1], 100u);
  EXPECT_EQ(world.asked, 0) << "items that stay separate need no lookup";
}

TEST_F(CoalesceTest, JoinsNeighbours) {
  add(0, 5000, 100);
  add(100, 5100, 28);
  add(128, 5128, 1000);
  add(9000, 6128, 10);
  run();
  ASSERT_EQ(lists.small.count, 2u);
  EXPECT_EQ(lists.small_items().size[0], 1128u);
  EXPECT_EQ(lists.small_items().size[1], 10u);
  EXPECT_EQ(lists.small.largest, 1128u);
}

TEST_F(CoalesceTest, DoesNotJoinAcrossAllocations) {
  add(kAllocation - 64, 0, 64);
  add(kAllocation, 64, 64);
  run();
  EXPECT_EQ(lists.small.count, 2u);
}

TEST_F(CoalesceTest, KeepsLargeItemsApart) {
  add(0, 0, 512);
  add(kLargeItem, kLargeItem, kLargeItem);
  add(4 * kLargeItem, 5 * kLargeItem, 3 * kLargeItem);
  add(8 * kLargeItem, 9 * kLargeItem, kLargeItem - 1);
  run();
  EXPECT_EQ(lists.small.count, 2u);
  ASSERT_EQ(lists.large.count, 2u);
  EXPECT_EQ(lists.large.bytes, 4 * kLargeItem);
  EXPECT_EQ(lists.large_items().dst[0], kDevice + 4 * kLargeItem);
  EXPECT_EQ(lists.large_items().size[1], kLargeItem);
}

TEST_F(CoalesceTest, NoticesWhatIsOutOfReachOnlyWhenAsked) {
  add(0, 0, 64);
  add(kAllocation + 4096, 4096, 64);
  EXPECT_EQ(run(Judge::kReach), Reach::kNotAll);
  lists = ItemLists::in(memory.get());
  EXPECT_EQ(run(Judge::kNothing), Reach::kAll);
}

TEST_F(CoalesceTest, AsksOnceForEachAllocation) {
  for (uint64_t i = 0; i < 1000; ++i)
    add((i % 4) * 2 * kAllocation + i * 128, i * 4096, 64);
  EXPECT_EQ(run(Judge::kReach), Reach::kAll);
  EXPECT_EQ(world.asked, 5) << "four on the device and one on the host";
}

TEST_F(CoalesceTest, SplitsSmallItemsInPlace) {
  add(0, 0, 1000);
  add(10000, 20000, 5000);
  add(30000, 40000, 512);
  run();
  split_small(lists, 1024);
  ASSERT_EQ(lists.small.count, 7u);
  EXPECT_EQ(lists.small.bytes, 6512u);
  EXPECT_EQ(lists.small.largest, 1024u);
  const ItemColumns list = lists.small_items();
  EXPECT_EQ(list.size[0], 1000u);
  for (uint64_t i = 0; i < 5; ++i) {
    EXPECT_EQ(list.dst[1 + i], kDevice + 10000 + i * 1024);
    EXPECT_EQ(list.src[1 + i], kHost + 20000 + i * 1024);
    EXPECT_EQ(list.size[1 + i], i < 4 ? 1024u : 904u);
  }
  EXPECT_EQ(list.dst[6], kDevice + 30000);
  EXPECT_EQ(list.size[6], 512u);
}

TEST_F(CoalesceTest, HasRoomForTheWorstMixture) {
  for (uint64_t i = 0; i < kMostItems; ++i)
    add(i * 2 * kLargeItem % kAllocation + i, i, i % 2 == 0 ? 1 : kLargeItem - 1);
  run();
  const uint64_t bytes = lists.small.bytes;
  split_small(lists, piece_for(lists.small));
  EXPECT_LE(lists.small.count, kListCapacity);
  uint64_t sum = 0;
  for (size_t i = 0; i < lists.small.count; ++i)
    sum += lists.small_items().size[i];
  EXPECT_EQ(sum, bytes);
}

// The items as columns from a runtime: addresses are 1 TiB away from the storage.
TEST_F(CoalesceTest, GathersColumnsAsItGathersItems) {
  constexpr uint64_t kDistance = uint64_t{1} << 40;
  add(0, 5000, 100);
  add(100, 5100, 28);
  add(9000, 6128, kLargeItem);
  add(300, 0, 10);
  std::vector<void*> dsts;
  std::vector<void*> srcs;
  std::vector<size_t> sizes;
  for (const ferryx_copy& item : items) {
    dsts.push_back(static_cast<char*>(item.dst_storage) - kDistance);
    srcs.push_back(const_cast<char*>(static_cast<const char*>(item.src_storage)) - kDistance);
    sizes.push_back(item.size);
  }
  const auto range = [](uint64_t storage) {
    return ferryx_memory{.address = reinterpret_cast<void*>(storage - kDistance),
                         .size = kAllocation,
                         .storage = reinterpret_cast<void*>(storage),
                         .kind = FERRYX_MEMORY_DEVICE,
                         .device = 0};
  };
  gather({.dsts = dsts.data(),
          .srcs = srcs.data(),
          .sizes = sizes.data(),
          .count = sizes.size(),
          .common_size = 0,
          .dst = range(kDevice),
          .src = range(kHost),
          .direction = FERRYX_HOST_TO_DEVICE},
         lists);
  ASSERT_EQ(lists.small.count, 2u);
  EXPECT_EQ(lists.small_items().dst[0], kDevice);
  EXPECT_EQ(lists.small_items().src[0], kHost + 5000);
  EXPECT_EQ(lists.small_items().size[0], 128u);
  EXPECT_EQ(lists.small_items().dst[1], kDevice + 300);
  ASSERT_EQ(lists.large.count, 1u);
  EXPECT_EQ(lists.large_items().src[0], kHost + 6128);
  EXPECT_EQ(world.asked, 0) << "everything is in the same two allocations";
}

}  // namespace
}  // namespace ferry::cuda
