// SPDX-License-Identifier: Apache-2.0
// Lists that go round; the test plays the kernels.
#include "backends/cuda/pair_ring.h"

#include <gtest/gtest.h>

#include <set>
#include <thread>
#include <vector>

namespace ferry::cuda {
namespace {

constexpr uint32_t kBlocks = 8;

void end_block(const PairRing::List& list, uint32_t block) {
  std::atomic_ref(list.done[block]).store(list.turn, std::memory_order_release);
}

void end_kernel(const PairRing::List& list, uint32_t blocks = kBlocks) {
  for (uint32_t block = 0; block < blocks; ++block)
    end_block(list, block);
}

class PairRingTest : public ::testing::Test {
 protected:
  void SetUp() override { ASSERT_TRUE(ring_.open(memory_.data())); }

  PairRing::List taken() {
    PairRing::List list;
    EXPECT_TRUE(ring_.take(list));
    return list;
  }

  std::vector<uint64_t> memory_ = std::vector<uint64_t>(PairRing::kBytes / sizeof(uint64_t));
  PairRing ring_;
};

TEST(PairRingWithoutMemory, HasNoList) {
  PairRing ring;
  PairRing::List list;
  EXPECT_FALSE(ring.is_open());
  EXPECT_FALSE(ring.take(list));
}

TEST_F(PairRingTest, IsOpenedOnce) {
  EXPECT_TRUE(ring_.is_open());
  EXPECT_FALSE(ring_.open(memory_.data()));
}

TEST_F(PairRingTest, HandsOutListsThatShareNothing) {
  std::set<uint64_t*> pairs;
  std::set<uint32_t*> words;
  PairRing::List list;
  while (ring_.take(list)) {
    pairs.insert(list.pairs);
    words.insert(list.done);
    list.pairs[kMostPairs - 1] = 1;  // the last one is inside the memory, and of this list alone
  }
  EXPECT_EQ(PairRing::kLists, pairs.size());
  EXPECT_EQ(PairRing::kLists, words.size());
  for (uint64_t* first : pairs)
    EXPECT_FALSE(pairs.contains(first + kMostPairs - 1));
}

TEST_F(PairRingTest, IsDoneWhenEveryBlockIs) {
  const PairRing::List list = taken();
  const Ticket ticket = ring_.give_back_after(list, kBlocks);
  EXPECT_TRUE(ticket.is_one());
  for (uint32_t block = 0; block < kBlocks; ++block) {
    EXPECT_FALSE(ring_.is_done(ticket)) << block;
    end_block(list, block);
  }
  EXPECT_TRUE(ring_.is_done(ticket));
}

TEST_F(PairRingTest, StaysDoneWhenItsListIsUsedAgain) {
  const PairRing::List first = taken();
  const Ticket ticket = ring_.give_back_after(first, PairRing::kMostBlocks);
  end_kernel(first, PairRing::kMostBlocks);
  PairRing::List again;
  do {
    again = taken();
    if (again.index != first.index) ring_.give_back(again);
  } while (again.index != first.index);
  EXPECT_TRUE(ring_.is_done(ticket));
  const Ticket later = ring_.give_back_after(again, kBlocks);
  EXPECT_TRUE(ring_.is_done(ticket));
  EXPECT_FALSE(ring_.is_done(later));
}

TEST_F(PairRingTest, HasNoneWhileAllAreRead) {
  std::vector<PairRing::List> lists;
  for (size_t i = 0; i < PairRing::kLists; ++i)
    lists.push_back(taken());
  for (const PairRing::List& list : lists)
    ring_.give_back_after(list, kBlocks);
  PairRing::List list;
  EXPECT_FALSE(ring_.take(list));
  end_kernel(lists[5]);
  EXPECT_TRUE(ring_.take(list));
  EXPECT_EQ(lists[5].index, list.index);
  EXPECT_FALSE(ring_.take(list));
}

TEST_F(PairRingTest, TakesBackWhatNoKernelReads) {
  for (size_t i = 0; i < 3 * PairRing::kLists; ++i)
    ring_.give_back(taken());
}

// Each thread is a program with a kernel; no list is ever in two hands.
TEST_F(PairRingTest, ServesManyThreads) {
  constexpr int kThreads = 4;
  constexpr uint64_t kRounds = 5000;
  std::atomic<int> mixed_up = 0;
  const auto use = [&](uint64_t number) {
    for (uint64_t round = 0; round < kRounds;) {
      PairRing::List list;
      if (!ring_.take(list)) continue;
      list.pairs[0] = number;
      const Ticket ticket = ring_.give_back_after(list, kBlocks);
      if (list.pairs[0] != number || ring_.is_done(ticket)) ++mixed_up;
      end_kernel(list);
      if (!ring_.is_done(ticket)) ++mixed_up;
      ++round;
    }
  };
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i)
    threads.emplace_back(use, i);
  for (std::thread& thread : threads)
    thread.join();
  EXPECT_EQ(0, mixed_up);
}

}  // namespace
}  // namespace ferry::cuda
