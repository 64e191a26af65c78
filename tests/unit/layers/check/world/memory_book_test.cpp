// SPDX-License-Identifier: Apache-2.0
// Live and freed memory by address.
#include "layers/check/world/memory_book.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

namespace ferry::layers::check {
namespace {

constexpr int kThread = 3;

ferryx_memory memory_at(uintptr_t address, uint64_t size) {
  return {.address = reinterpret_cast<void*>(address),
          .size = size,
          .storage = nullptr,
          .kind = FERRYX_MEMORY_DEVICE,
          .device = 0};
}

const void* pointer(uintptr_t address) {
  return reinterpret_cast<const void*>(address);
}

TEST(MemoryBook, FindsWhatHoldsAnAddress) {
  MemoryBook book;
  book.add(memory_at(1000, 100), 7);
  EXPECT_EQ(book.find(999), nullptr);
  EXPECT_EQ(book.find(1000)->made_at, 7U);
  EXPECT_EQ(book.find(1099)->made_at, 7U);
  EXPECT_EQ(book.find(1100), nullptr);
}

TEST(MemoryBook, RemembersWhereMemoryWasFreed) {
  MemoryBook book;
  book.add(memory_at(1000, 100), 7);
  EXPECT_EQ(book.end(pointer(1001), 8, kThread), nullptr);
  const Allocation* freed = book.end(pointer(1000), 8, kThread);
  ASSERT_NE(freed, nullptr);
  EXPECT_EQ(book.find(1000), nullptr);
  EXPECT_EQ(book.find_freed(1099), freed);
  EXPECT_EQ(freed->made_at, 7U);
  EXPECT_EQ(freed->freed_at, 8U);
  EXPECT_EQ(freed->freed_by, kThread);
  EXPECT_EQ(book.find_freed(1100), nullptr);
}

TEST(MemoryBook, ForgetsWhatWasGivenBack) {
  MemoryBook book;
  book.add(memory_at(1000, 100), 7);
  book.end(pointer(1000), 8, kThread);
  book.forget_freed(pointer(1000));
  EXPECT_EQ(book.find_freed(1050), nullptr);
  book.forget_freed(pointer(1000));
}

// For any byte, the most recently freed range that contained it is found, wherever ranges begin.
TEST(MemoryBook, TheLatestFreedCounts) {
  constexpr uintptr_t kSpace = 200;
  std::mt19937 random(3);
  MemoryBook book;
  std::vector<SiteId> last(kSpace, kNoSite);  // for each byte; kNoSite: unknown
  for (SiteId site = 1; site < 5000; ++site) {
    const uintptr_t begin = random() % (kSpace - 20);
    const uint64_t size = 1 + random() % 20;
    book.add(memory_at(begin, size), site);
    book.end(pointer(begin), site, kThread);
    // Older memory that overlaps it is forgotten entirely.
    for (uintptr_t i = begin; i < begin + size; ++i) {
      const SiteId older = last[i];
      if (older != kNoSite && older != site) std::replace(last.begin(), last.end(), older, kNoSite);
      last[i] = site;
    }
    for (uintptr_t i = 0; i < kSpace; ++i) {
      const Allocation* freed = book.find_freed(i);
      ASSERT_EQ(freed == nullptr ? kNoSite : freed->freed_at, last[i]) << site << " at " << i;
    }
  }
}

TEST(MemoryBook, TheOldestIsForgotten) {
  MemoryBook book;
  constexpr uintptr_t kMany = 20000;
  for (uintptr_t i = 1; i <= kMany; ++i) {
    book.add(memory_at(i * 100, 50), 1);
    book.end(pointer(i * 100), 2, kThread);
  }
  EXPECT_EQ(book.find_freed(100), nullptr);
  EXPECT_NE(book.find_freed(kMany * 100), nullptr);
}

}  // namespace
}  // namespace ferry::layers::check
