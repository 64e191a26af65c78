// SPDX-License-Identifier: Apache-2.0
// The ring of pair lists; the test plays the kernels.
#include "backends/cuda/transfer/pair_ring.h"

#include <gtest/gtest.h>

#include <set>
#include <thread>
#include <vector>

namespace ferry::cuda {
namespace {

using Need = PairRing::Need;
using Share = PairRing::Share;

constexpr uint32_t kBlocks = 8;

void end_block(const Share& share, uint32_t block) {
  std::atomic_ref(share.done[block]).store(share.turn, std::memory_order_release);
}

void end_kernel(const Share& share, uint32_t blocks = kBlocks) {
  for (uint32_t block = 0; block < blocks; ++block)
    end_block(share, block);
}

class PairRingTest : public ::testing::Test {
 protected:
  void SetUp() override { ASSERT_TRUE(ring_.open(memory_.data())); }

  Share taken(Need need = Need::kList) {
    Share share;
    EXPECT_TRUE(ring_.take(need, share));
    return share;
  }
  // Takes all lists there are.
  std::vector<Share> all(Need need) {
    std::vector<Share> shares;
    for (Share share; ring_.take(need, share);)
      shares.push_back(share);
    return shares;
  }

  std::vector<uint64_t> memory_ = std::vector<uint64_t>(PairRing::kBytes / sizeof(uint64_t));
  PairRing ring_;
};

TEST(PairRingWithoutMemory, HasNothing) {
  PairRing ring;
  Share share;
  EXPECT_FALSE(ring.is_open());
  EXPECT_FALSE(ring.take(Need::kList, share));
  EXPECT_FALSE(ring.take(Need::kWordsAlone, share));
}

TEST_F(PairRingTest, IsOpenedOnce) {
  EXPECT_TRUE(ring_.is_open());
  EXPECT_FALSE(ring_.open(memory_.data()));
}

TEST_F(PairRingTest, HandsOutWhatIsOfOneLaunchAlone) {
  const std::vector<Share> with_list = all(Need::kList);
  const std::vector<Share> without_list = all(Need::kWordsAlone);
  EXPECT_EQ(PairRing::kLists, with_list.size());
  EXPECT_EQ(PairRing::kWithoutList, without_list.size())
      << "a launch without a list must not take one";
  std::set<uint64_t*> pairs;
  std::set<uint32_t*> words;
  for (const Share& share : with_list) {
    share.pairs[kMostPairs - 1] = 1;  // the last pair is inside the memory
    pairs.insert(share.pairs);
    words.insert(share.done);
  }
  for (const Share& share : without_list) {
    EXPECT_EQ(nullptr, share.pairs);
    share.done[PairRing::kMostBlocks - 1] = 1;
    words.insert(share.done);
  }
  EXPECT_EQ(with_list.size(), pairs.size());
  EXPECT_EQ(with_list.size() + without_list.size(), words.size());
  for (uint64_t* first : pairs)
    EXPECT_FALSE(pairs.contains(first + kMostPairs - 1));
}

TEST_F(PairRingTest, IsDoneWhenEveryBlockIs) {
  for (const Need need : {Need::kList, Need::kWordsAlone}) {
    const Share share = taken(need);
    const Ticket ticket = ring_.give_back_after(share, kBlocks);
    EXPECT_TRUE(ticket.is_one());
    for (uint32_t block = 0; block < kBlocks; ++block) {
      EXPECT_FALSE(ring_.is_done(ticket)) << block;
      end_block(share, block);
    }
    EXPECT_TRUE(ring_.is_done(ticket));
  }
}

TEST_F(PairRingTest, StaysDoneWhenItsSlotIsUsedAgain) {
  const Share first = taken();
  const Ticket ticket = ring_.give_back_after(first, PairRing::kMostBlocks);
  end_kernel(first, PairRing::kMostBlocks);
  Share again;
  do {
    again = taken();
    if (again.slot != first.slot) ring_.give_back(again);
  } while (again.slot != first.slot);
  EXPECT_TRUE(ring_.is_done(ticket));
  const Ticket later = ring_.give_back_after(again, kBlocks);
  EXPECT_TRUE(ring_.is_done(ticket));
  EXPECT_FALSE(ring_.is_done(later));
}

TEST_F(PairRingTest, HasNoneWhileAllAreInUse) {
  for (const Need need : {Need::kList, Need::kWordsAlone}) {
    const std::vector<Share> shares = all(need);
    for (const Share& share : shares)
      ring_.give_back_after(share, kBlocks);
    Share share;
    EXPECT_FALSE(ring_.take(need, share));
    end_kernel(shares[5]);
    EXPECT_TRUE(ring_.take(need, share));
    EXPECT_EQ(shares[5].slot, share.slot);
    EXPECT_FALSE(ring_.take(need, share));
  }
}

TEST_F(PairRingTest, TakesBackWhatNoKernelKnows) {
  for (size_t i = 0; i < 3 * PairRing::kLists; ++i)
    ring_.give_back(taken());
}

// Each thread acts as a program with a kernel; no list is ever in use twice.
TEST_F(PairRingTest, ServesManyThreads) {
  constexpr int kThreads = 4;
  constexpr uint64_t kRounds = 5000;
  std::atomic<int> mixed_up = 0;
  const auto use = [&](uint64_t number) {
    for (uint64_t round = 0; round < kRounds;) {
      Share share;
      if (!ring_.take(Need::kList, share)) continue;
      share.pairs[0] = number;
      const Ticket ticket = ring_.give_back_after(share, kBlocks);
      if (share.pairs[0] != number || ring_.is_done(ticket)) ++mixed_up;
      end_kernel(share);
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
