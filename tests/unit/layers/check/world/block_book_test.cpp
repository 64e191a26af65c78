// SPDX-License-Identifier: Apache-2.0
#include "layers/check/world/block_book.h"

#include <gtest/gtest.h>

namespace ferry::layers::check {
namespace {

constexpr QueueId kMain = 1;
constexpr QueueId kSide = 2;
constexpr uintptr_t kPool = 0x10000;
constexpr SiteId kHere = 7;
constexpr SiteId kThere = 8;

Moment main_task(uint64_t number) {
  return {kMain, number};
}
Moment side_task(uint64_t number) {
  return {kSide, number};
}

// What was submitted after so many tasks of both queues.
Submitted after(uint64_t mains, uint64_t sides) {
  return {{kHost, mains + sides}, {kMain, mains}, {kSide, sides}};
}

TEST(BlockBook, FindsAReleaseBetweenTwoTasks) {
  BlockBook book;
  book.taken(kPool, after(0, 0));
  book.released(kPool, after(1, 1), kHere);
  book.taken(kPool, after(1, 1));
  EXPECT_EQ(kHere, book.release_between(side_task(1), main_task(2), kPool + 8));
  EXPECT_EQ(kHere, book.release_between(main_task(2), side_task(1), kPool + 8))
      << "in either order";
  EXPECT_EQ(kNoSite, book.release_between(side_task(1), main_task(1), kPool)) << "both before";
  EXPECT_EQ(kNoSite, book.release_between(side_task(2), main_task(2), kPool)) << "both behind";
}

TEST(BlockBook, CountsTheHostAsAQueue) {
  BlockBook book;
  book.taken(kPool, after(0, 0));
  book.released(kPool, after(2, 1), kHere);
  EXPECT_EQ(kHere, book.release_between(side_task(1), {kHost, 4}, kPool));
  EXPECT_EQ(kNoSite, book.release_between(side_task(1), {kHost, 3}, kPool));
}

TEST(BlockBook, ABlockThatLivedAllTheTimeHidesThoseBeforeIt) {
  BlockBook book;
  book.taken(kPool, after(0, 0));
  book.taken(kPool + 512, after(0, 0));
  book.released(kPool, after(1, 1), kHere);
  EXPECT_EQ(kNoSite, book.release_between(side_task(1), main_task(2), kPool + 600));
  EXPECT_EQ(kHere, book.release_between(side_task(1), main_task(2), kPool + 100));
}

TEST(BlockBook, ALargeBlockMayBeGivenOutAgainInParts) {
  BlockBook book;
  book.taken(kPool, after(0, 0));
  book.released(kPool, after(1, 1), kHere);
  book.taken(kPool, after(1, 1));
  book.taken(kPool + 512, after(1, 1));
  EXPECT_EQ(kHere, book.release_between(side_task(1), main_task(2), kPool + 600));
}

TEST(BlockBook, KeepsTheReleaseThatLiesBetween) {
  BlockBook book;
  for (uint64_t turn = 0; turn < 4; ++turn) {
    book.taken(kPool, after(turn, turn));
    book.released(kPool, after(turn + 1, turn + 1), turn == 2 ? kThere : kHere);
  }
  EXPECT_EQ(kThere, book.release_between(side_task(3), main_task(4), kPool));
}

TEST(BlockBook, ForgetsMemoryThatIsFreed) {
  BlockBook book;
  book.taken(kPool, after(0, 0));
  book.released(kPool, after(1, 1), kHere);
  book.forget({kPool, kPool + 4096});
  EXPECT_EQ(kNoSite, book.release_between(side_task(1), main_task(2), kPool));
}

TEST(BlockBook, IgnoresReleasesOfUnknownBlocks) {
  BlockBook book;
  book.released(kPool, after(1, 1), kHere);
  book.taken(kPool, after(1, 1));
  book.released(kPool, after(2, 2), kThere);
  book.released(kPool, after(3, 3), kHere);
  EXPECT_EQ(kThere, book.release_between(side_task(2), main_task(3), kPool));
}

}  // namespace
}  // namespace ferry::layers::check
