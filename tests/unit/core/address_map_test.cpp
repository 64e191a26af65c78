// SPDX-License-Identifier: Apache-2.0
// The radix tree against an ordered map, and under concurrent readers.
#include "core/address_map.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <map>
#include <random>
#include <thread>
#include <vector>

namespace ferry {
namespace {

void* to_address(uint64_t number) {
  return reinterpret_cast<void*>(number);
}

ferryx_memory range(uint64_t start, uint64_t size, uint32_t device = 0) {
  return {.address = to_address(start),
          .size = size,
          .storage = to_address(start + 0x1000000000),
          .kind = FERRYX_MEMORY_DEVICE,
          .device = device};
}

TEST(AddressMap, FindsEveryByteOfARangeAndNoOther) {
  for (const uint64_t start :
       {uint64_t{0x10000}, uint64_t{0x7F0012345678}, uint64_t{0x7F0000000000}}) {
    for (const uint64_t size : {uint64_t{1}, uint64_t{100}, uint64_t{4096}, uint64_t{5000},
                                uint64_t{2} << 20, (uint64_t{3} << 30) + 12345}) {
      AddressMap map;
      ASSERT_TRUE(map.insert(range(start, size, 3)));
      ferryx_memory found{};
      for (const uint64_t inside : {uint64_t{0}, size / 2, size - 1}) {
        ASSERT_TRUE(map.find(to_address(start + inside), found)) << start << " " << inside;
        EXPECT_EQ(found.address, to_address(start));
        EXPECT_EQ(found.size, size);
        EXPECT_EQ(found.device, 3u);
        EXPECT_EQ(found.storage, to_address(start + 0x1000000000));
      }
      EXPECT_FALSE(map.find(to_address(start - 1), found));
      EXPECT_FALSE(map.find(to_address(start + size), found));
      ASSERT_TRUE(map.remove(to_address(start)));
      EXPECT_FALSE(map.find(to_address(start), found));
    }
  }
}

TEST(AddressMap, RefusesWhatOverlapsOrCannotBe) {
  AddressMap map;
  ASSERT_TRUE(map.insert(range(0x10000, 0x1000)));
  EXPECT_FALSE(map.insert(range(0x10000, 1)));
  EXPECT_FALSE(map.insert(range(0x10FFF, 1)));
  EXPECT_FALSE(map.insert(range(0xF000, 0x1001)));
  EXPECT_FALSE(map.insert(range(0xF000, 0x100000)));
  EXPECT_TRUE(map.insert(range(0xF000, 0x1000)));
  EXPECT_TRUE(map.insert(range(0x11000, 1)));
  EXPECT_FALSE(map.insert(range(0x500000, 0)));
  EXPECT_FALSE(map.insert(range(UINT64_MAX - 10, 100)));
  EXPECT_FALSE(map.insert(range(uint64_t{1} << 48, 1)));
  EXPECT_FALSE(map.remove(to_address(0x10001))) << "only the start address removes a range";
}

TEST(AddressMap, ListsAllRangesByAddress) {
  AddressMap map;
  EXPECT_TRUE(map.all().empty());
  ASSERT_TRUE(map.insert(range(0x50000, 100, 2)));
  ASSERT_TRUE(map.insert(range(0x10000, 0x1000, 1)));
  ASSERT_TRUE(map.join(range(0x20000, 0x1000), 7));
  ASSERT_TRUE(map.join(range(0x21000, 0x1000), 7));
  const std::vector<ferryx_memory> all = map.all();
  ASSERT_EQ(all.size(), 3u);
  EXPECT_EQ(all[0].address, to_address(0x10000));
  EXPECT_EQ(all[0].device, 1u);
  EXPECT_EQ(all[1].size, 0x2000u);  // parts that touch are one range
  EXPECT_EQ(all[1].storage, to_address(0x1000020000));
  EXPECT_EQ(all[2].size, 100u);
  EXPECT_EQ(all[2].kind, uint32_t{FERRYX_MEMORY_DEVICE});
}

TEST(AddressMap, AnswersForAnyNumber) {
  AddressMap map;
  ferryx_memory found{};
  for (const uint64_t number : {uint64_t{0}, uint64_t{1}, UINT64_MAX, uint64_t{1} << 48}) {
    EXPECT_FALSE(map.find(to_address(number), found));
  }
}

TEST(AddressMap, EpochMovesWithEveryChange) {
  AddressMap map;
  const uint64_t start = map.epoch();
  ASSERT_TRUE(map.insert(range(0x10000, 16)));
  const uint64_t inserted = map.epoch();
  EXPECT_NE(start, inserted);
  ASSERT_TRUE(map.remove(to_address(0x10000)));
  EXPECT_NE(map.epoch(), inserted);
}

// Small ranges share pages, large ones span whole subtrees; both come and go at the same places.
TEST(AddressMap, AgreesWithAnOrderedMap) {
  constexpr uint64_t kBase = 0x7E0000000000;
  std::mt19937_64 random(11);
  AddressMap map;
  std::map<uint64_t, uint64_t> model;
  for (int i = 0; i < 20000; ++i) {
    const uint64_t start = kBase + random() % (uint64_t{64} << 20);
    const uint64_t size = 1 + random() % (random() % 8 == 0 ? uint64_t{8} << 20 : 600);
    const auto next = model.lower_bound(start);
    const bool fits =
        (next == model.end() || next->first >= start + size) &&
        (next == model.begin() || std::prev(next)->first + std::prev(next)->second <= start);
    ASSERT_EQ(map.insert(range(start, size)), fits);
    if (fits) model.emplace(start, size);
    if (random() % 3 == 0 && !model.empty()) {
      auto gone = model.lower_bound(kBase + random() % (uint64_t{64} << 20));
      if (gone == model.end()) gone = model.begin();
      ASSERT_TRUE(map.remove(to_address(gone->first)));
      model.erase(gone);
    }
    const uint64_t asked = kBase + random() % (uint64_t{64} << 20);
    const auto after = model.upper_bound(asked);
    const bool held =
        after != model.begin() && asked - std::prev(after)->first < std::prev(after)->second;
    ferryx_memory found{};
    ASSERT_EQ(map.find(to_address(asked), found), held);
    if (held) {
      EXPECT_EQ(found.address, to_address(std::prev(after)->first));
    }
  }
}

TEST(AddressMap, ReadersSeeOneStateWhileWritersChangeIt) {
  constexpr uint64_t kStart = 0x7E0000000000;
  AddressMap map;
  std::atomic<bool> stop{false};
  // The same place holds ranges of two sizes in turn; readers must never see a mixture.
  std::thread writer([&] {
    for (int i = 0; i < 4000; ++i) {
      const uint64_t size = i % 2 == 0 ? 512 : uint64_t{4} << 20;
      ASSERT_TRUE(map.insert(range(kStart, size, static_cast<uint32_t>(size))));
      ASSERT_TRUE(map.remove(to_address(kStart)));
    }
    stop = true;
  });
  while (!stop) {
    ferryx_memory found{};
    if (map.find(to_address(kStart + 100), found)) {
      EXPECT_EQ(found.size, found.device);
    }
  }
  writer.join();
}

// ---- runs ----

constexpr uint64_t kPart = uint64_t{2} << 20;
constexpr uint64_t kRuns = 0x7D0000000000;

// Part `i` of a reservation; its storage lies at a constant distance.
ferryx_memory part(uint64_t i, uint64_t count = 1) {
  ferryx_memory memory = range(kRuns + i * kPart, count * kPart);
  memory.storage = static_cast<char*>(memory.address) + (uint64_t{1} << 40);
  return memory;
}

void expect_run(const AddressMap& map, uint64_t inside, uint64_t first, uint64_t count) {
  ferryx_memory found{};
  ASSERT_TRUE(map.find(to_address(kRuns + inside * kPart + 5), found)) << inside;
  const ferryx_memory expected = part(first, count);
  EXPECT_EQ(found.address, expected.address) << inside;
  EXPECT_EQ(found.size, expected.size) << inside;
  EXPECT_EQ(found.storage, expected.storage) << inside;
}

TEST(AddressMap, FindsPartsThatTouchAsOneRun) {
  AddressMap map;
  ASSERT_TRUE(map.join(part(1), 7));
  ASSERT_TRUE(map.join(part(3), 7));
  expect_run(map, 1, 1, 1);
  ASSERT_TRUE(map.join(part(2), 7));
  for (const uint64_t i : {1u, 2u, 3u})
    expect_run(map, i, 1, 3);
  ASSERT_TRUE(map.cut(to_address(kRuns + 2 * kPart), kPart));
  expect_run(map, 1, 1, 1);
  expect_run(map, 3, 3, 1);
  ferryx_memory found{};
  EXPECT_FALSE(map.find(to_address(kRuns + 2 * kPart), found));
}

TEST(AddressMap, JoinsNothingOfAnotherGroupOrWithStorageElsewhere) {
  AddressMap map;
  ASSERT_TRUE(map.join(part(0), 7));
  ASSERT_TRUE(map.join(part(1), 8));
  ferryx_memory elsewhere = part(2);
  elsewhere.storage = to_address(uint64_t{1} << 30);
  ASSERT_TRUE(map.join(elsewhere, 8));
  ASSERT_TRUE(map.insert(part(3)));
  expect_run(map, 0, 0, 1);
  expect_run(map, 1, 1, 1);
  expect_run(map, 3, 3, 1);
}

TEST(AddressMap, RemovesNoRunsAndCutsNothingElse) {
  AddressMap map;
  ASSERT_TRUE(map.join(part(0), 7));
  ASSERT_TRUE(map.insert(part(4)));
  EXPECT_FALSE(map.remove(part(0).address));
  EXPECT_FALSE(map.cut(part(4).address, kPart));
  EXPECT_FALSE(map.cut(part(0).address, 2 * kPart));
  EXPECT_FALSE(map.join(part(0, 2), 7));
  expect_run(map, 0, 0, 1);
}

// Parts of different sizes come and go; runs are what touches.
TEST(AddressMap, RunsAgreeWithAModel) {
  constexpr uint64_t kSlots = 1100;  // more than a gigabyte: several nodes
  std::mt19937_64 random(12);
  AddressMap map;
  std::map<uint64_t, uint64_t> parts;  // first slot, number of slots
  std::vector<bool> is_used(kSlots);
  for (int i = 0; i < 20000; ++i) {
    const uint64_t first = random() % kSlots;
    const uint64_t count = std::min(kSlots - first, random() % 20 == 0 ? 600 : 1 + random() % 4);
    const auto begin = is_used.begin() + static_cast<ptrdiff_t>(first);
    const auto end = begin + static_cast<ptrdiff_t>(count);
    const bool fits = std::find(begin, end, true) == end;
    ASSERT_EQ(map.join(part(first, count), 3), fits);
    if (fits) {
      parts.emplace(first, count);
      std::fill(begin, end, true);
    }
    if (random() % 2 == 0) {
      auto gone = parts.lower_bound(random() % kSlots);
      if (gone == parts.end()) gone = parts.begin();
      ASSERT_TRUE(map.cut(part(gone->first).address, gone->second * kPart));
      const auto place = is_used.begin() + static_cast<ptrdiff_t>(gone->first);
      std::fill(place, place + static_cast<ptrdiff_t>(gone->second), false);
      parts.erase(gone);
    }
    const uint64_t asked = random() % kSlots;
    ferryx_memory found{};
    ASSERT_EQ(map.find(to_address(kRuns + asked * kPart), found), is_used[asked]);
    if (!is_used[asked]) continue;
    uint64_t start = asked;
    while (start > 0 && is_used[start - 1])
      --start;
    uint64_t stop = asked;
    while (stop < kSlots && is_used[stop])
      ++stop;
    expect_run(map, asked, start, stop - start);
  }
}

TEST(AddressMap, ReadersSeeWholeRunsWhileTheyGrowAndBreak) {
  AddressMap map;
  std::atomic<bool> stop{false};
  ASSERT_TRUE(map.join(part(0), 3));
  std::thread writer([&] {
    for (int i = 0; i < 4000; ++i) {
      ASSERT_TRUE(map.join(part(2), 3));
      ASSERT_TRUE(map.join(part(1), 3));
      ASSERT_TRUE(map.cut(part(1).address, kPart));
      ASSERT_TRUE(map.cut(part(2).address, kPart));
    }
    stop = true;
  });
  while (!stop) {
    ferryx_memory found{};
    ASSERT_TRUE(map.find(part(0).address, found));
    EXPECT_TRUE(found.size == kPart || found.size == 3 * kPart);
    EXPECT_EQ(found.storage, part(0).storage);
  }
  writer.join();
}

}  // namespace
}  // namespace ferry
