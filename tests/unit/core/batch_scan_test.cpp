// SPDX-License-Identifier: Apache-2.0
// Scans of a batch's arrays: a single wrong item is detected at any position.
#include "core/batch_scan.h"

#include <gtest/gtest.h>

#include <functional>
#include <vector>

namespace ferry {
namespace {

constexpr uint64_t kDst = uint64_t{1} << 40;
constexpr uint64_t kSrc = uint64_t{3} << 40;
constexpr uint64_t kRoom = 1 << 20;
constexpr size_t kItemSize = 512;
// Counts around the widths of registers and the length of a stretch.
constexpr size_t kCounts[] = {1, 2, 3, 4, 5, 7, 8, 9, 1023, 1024, 1025, 1031, 4096};

void* at(uint64_t address) {
  return reinterpret_cast<void*>(address);
}

struct Items {
  explicit Items(size_t count) : sizes(count, kItemSize) {
    for (size_t i = 0; i < count; ++i) {
      dsts.push_back(at(kDst + i * 7919 % 2048 * kItemSize));
      srcs.push_back(at(kSrc + i * 104729 % 2048 * kItemSize));
    }
  }
  bool are_alike(uint64_t room = kRoom) const {
    return ferry::are_alike(
        {.dsts = dsts.data(), .srcs = srcs.data(), .sizes = sizes.data(), .count = sizes.size()},
        kItemSize, {kDst, room - kItemSize}, {kSrc, room - kItemSize});
  }

  std::vector<void*> dsts;
  std::vector<void*> srcs;
  std::vector<size_t> sizes;
};

// Spoils each item in turn and expects the scan to detect it.
void expect_seen(size_t count, const std::function<void(Items&, size_t)>& spoil) {
  for (size_t i = 0; i<count; i += count> 64 ? 61 : 1) {
    Items items(count);
    spoil(items, i);
    EXPECT_FALSE(items.are_alike()) << "item " << i << " of " << count;
  }
  Items items(count);
  spoil(items, count - 1);
  EXPECT_FALSE(items.are_alike()) << "the last of " << count;
}

TEST(BatchScan, ItemsOfOneSizeInsideAreAlike) {
  for (const size_t count : kCounts)
    EXPECT_TRUE(Items(count).are_alike()) << count;
}

TEST(BatchScan, FirstAndLastPlacesAreInside) {
  Items items(9);
  items.dsts[4] = at(kDst);
  items.srcs[8] = at(kSrc + kRoom - kItemSize);
  EXPECT_TRUE(items.are_alike());
}

TEST(BatchScan, SeesOneThatIsDifferent) {
  for (const size_t count : kCounts) {
    expect_seen(count, [](Items& items, size_t i) { items.sizes[i] = kItemSize + 1; });
    expect_seen(count, [](Items& items, size_t i) { items.sizes[i] = 0; });
    expect_seen(count, [](Items& items, size_t i) { items.dsts[i] = at(kDst - 1); });
    expect_seen(count, [](Items& items, size_t i) { items.dsts[i] = nullptr; });
    expect_seen(count, [](Items& items, size_t i) { items.dsts[i] = at(UINT64_MAX); });
    expect_seen(count, [](Items& items, size_t i) { items.srcs[i] = at(kSrc - 1); });
    expect_seen(count,
                [](Items& items, size_t i) { items.dsts[i] = at(kDst + kRoom - kItemSize + 1); });
    expect_seen(count,
                [](Items& items, size_t i) { items.srcs[i] = at(kSrc + kRoom - kItemSize + 1); });
  }
}

TEST(BatchScan, NothingFitsWhatIsTooSmall) {
  EXPECT_FALSE(Items(4).are_alike(kItemSize - 1));
}

TEST(BatchScan, SizesUpToTheirCapacitiesAreWithin) {
  for (const size_t count : kCounts) {
    const std::vector<size_t> sizes(count, kItemSize);
    EXPECT_TRUE(are_within(sizes.data(), sizes.data(), count));
    std::vector<size_t> capacities(count, kItemSize);
    capacities[count / 2] = SIZE_MAX / 2;
    EXPECT_TRUE(are_within(sizes.data(), capacities.data(), count));
  }
}

TEST(BatchScan, SeesASizeAboveItsCapacity) {
  for (const size_t count : kCounts) {
    const std::vector<size_t> sizes(count, kItemSize);
    for (const size_t i : {size_t{0}, count / 2, count - 1}) {
      std::vector<size_t> capacities(count, kItemSize);
      capacities[i] = kItemSize - 1;
      EXPECT_FALSE(are_within(sizes.data(), capacities.data(), count)) << i << " of " << count;
      capacities[i] = SIZE_MAX;  // valid, but the scan leaves that to the slower check
      EXPECT_FALSE(are_within(sizes.data(), capacities.data(), count)) << i << " of " << count;
    }
  }
}

}  // namespace
}  // namespace ferry
