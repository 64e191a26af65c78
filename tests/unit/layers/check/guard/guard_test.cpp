// SPDX-License-Identifier: Apache-2.0
// Guarded memory: accesses are caught, reported with the right facts, and let through.
#include "layers/check/guard/guard.h"

#include "tests/unit/layers/check/guard/guard_support.h"

#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <barrier>
#include <cerrno>
#include <thread>
#include <vector>

namespace ferry::layers::check {
namespace {

TEST_F(GuardTest, CatchesAWriteAndLetsItThrough) {
  const Pinned memory(4 * page_);
  memory.storage()[page_ + 5] = 1;
  watch_byte(&memory.storage()[page_ + 5]);
  const Range closed = guard(memory.all(), Guard::kNoWrites, 42);
  EXPECT_EQ(closed.begin, memory.all().begin);
  EXPECT_EQ(closed.end, memory.all().end);
  EXPECT_EQ(read_byte(memory.address() + page_ + 5), 1) << "reading is allowed";
  write_byte(memory.address() + page_ + 5, 2);
  EXPECT_EQ(memory.storage()[page_ + 5], 2);
  const auto touches = take_told();
  ASSERT_EQ(touches.size(), 1u);
  const Touch& touch = touches[0].touch;
  EXPECT_EQ(touches[0].held, 1) << "it was reported before the write";
  EXPECT_EQ(touch.address, reinterpret_cast<uintptr_t>(memory.address()) + page_ + 5);
  EXPECT_TRUE(touch.is_write);
  EXPECT_FALSE(touch.is_freed);
  EXPECT_EQ(touch.label, 42u);
  EXPECT_EQ(touch.thread, gettid());
  ASSERT_GE(touch.frame_count, 3u);
  EXPECT_TRUE(is_in_write_byte(touch.frames[0]));
  unguard(memory.all(), Guard::kNoWrites, 42);
}

TEST_F(GuardTest, CatchesAReadAndLetsItThrough) {
  const Pinned memory(page_);
  memory.storage()[9] = 77;
  guard(memory.all(), Guard::kNoAccess, 43);
  EXPECT_EQ(read_byte(memory.address() + 9), 77);
  const auto touches = take_told();
  ASSERT_EQ(touches.size(), 1u);
  EXPECT_FALSE(touches[0].touch.is_write);
  EXPECT_EQ(touches[0].touch.label, 43u);
  EXPECT_TRUE(is_in_read_byte(touches[0].touch.frames[0]));
  unguard(memory.all(), Guard::kNoAccess, 43);
}

TEST_F(GuardTest, IsSilentWhenTheGuardIsGone) {
  const Pinned memory(2 * page_);
  guard(memory.all(), Guard::kNoAccess, 1);
  unguard(memory.all(), Guard::kNoAccess, 1);
  write_byte(memory.address(), 3);
  EXPECT_EQ(read_byte(memory.address()), 3);
  EXPECT_TRUE(take_told().empty());
}

TEST_F(GuardTest, GuardsOfOnePageAddUp) {
  const Pinned memory(page_);
  guard(memory.all(), Guard::kNoWrites, 20);
  guard(memory.all(), Guard::kNoAccess, 10);
  guard(memory.all(), Guard::kNoWrites, 5);
  unguard(memory.all(), Guard::kNoAccess, 10);
  read_byte(memory.address());
  EXPECT_TRUE(take_told().empty()) << "only writes are forbidden now";
  write_byte(memory.address(), 1);
  auto touches = take_told();
  ASSERT_EQ(touches.size(), 1u);
  EXPECT_EQ(touches[0].touch.label, 20u) << "the oldest";
  unguard(memory.all(), Guard::kNoWrites, 20);
  unguard(memory.all(), Guard::kNoWrites, 5);
  write_byte(memory.address(), 2);
  EXPECT_TRUE(take_told().empty());
}

TEST_F(GuardTest, AReadNamesTheGuardThatForbidsIt) {
  const Pinned memory(page_);
  guard(memory.all(), Guard::kNoWrites, 1);
  guard(memory.all(), Guard::kNoAccess, 2);
  read_byte(memory.address());
  const auto touches = take_told();
  ASSERT_EQ(touches.size(), 1u);
  EXPECT_EQ(touches[0].touch.label, 2u);
}

TEST_F(GuardTest, ATouchedPageStaysOpenUntilItsGuardsAreGone) {
  const Pinned memory(2 * page_);
  const Range first_page = memory.bytes(0, page_);
  guard(first_page, Guard::kNoWrites, 1);
  write_byte(memory.address(), 1);
  EXPECT_EQ(take_told().size(), 1u);
  guard(memory.all(), Guard::kNoAccess, 2);
  unguard(first_page, Guard::kNoWrites, 1);
  write_byte(memory.address(), 2);
  EXPECT_TRUE(take_told().empty());
  write_byte(memory.address() + page_, 2);
  EXPECT_EQ(take_told().size(), 1u) << "the other page had not been touched";
  unguard(memory.all(), Guard::kNoAccess, 2);
  guard(memory.all(), Guard::kNoWrites, 3);
  write_byte(memory.address(), 3);
  EXPECT_EQ(take_told().size(), 1u);
}

TEST_F(GuardTest, OneTouchOpensAllPagesThatNobodyElseGuards) {
  const Pinned memory(6 * page_);
  const Range most = memory.bytes(0, 5 * page_);
  guard(most, Guard::kNoWrites, 1);
  guard(memory.bytes(page_, 2 * page_), Guard::kNoWrites, 1);
  guard(memory.bytes(3 * page_, 6 * page_), Guard::kNoAccess, 2);
  const auto write_pages = [&](size_t first, size_t end) {
    for (size_t page = first; page < end; ++page)
      write_byte(memory.address() + page * page_, 7);
  };
  write_pages(0, 3);
  EXPECT_EQ(take_told().size(), 1u);
  write_pages(3, 6);
  const auto touches = take_told();
  ASSERT_EQ(touches.size(), 3u);
  EXPECT_EQ(touches[0].touch.label, 1u) << "the oldest";
  EXPECT_EQ(touches[2].touch.label, 2u);
  EXPECT_EQ(memory.storage()[5 * page_], 7);
  unguard(most, Guard::kNoWrites, 1);
  guard(most, Guard::kNoWrites, 3);
  write_byte(memory.address(), 1);
  EXPECT_EQ(take_told().size(), 1u) << "closed again";
}

TEST_F(GuardTest, ClosesWholePagesOnly) {
  const Pinned memory(4 * page_);
  const Range range = memory.bytes(100, 3 * page_ + 100);
  const Range closed = guard(range, Guard::kNoAccess, 1);
  EXPECT_EQ(closed.begin, memory.bytes(page_, 0).begin);
  EXPECT_EQ(closed.end, memory.bytes(0, 3 * page_).end);
  write_byte(memory.address() + 200, 1);
  write_byte(memory.address() + 3 * page_, 1);
  EXPECT_TRUE(take_told().empty());
  write_byte(memory.address() + page_, 1);
  EXPECT_EQ(take_told().size(), 1u);
  unguard(range, Guard::kNoAccess, 1);
  guard(range, Guard::kNoAccess, 1);
  write_byte(memory.address() + 3 * page_ - 1, 1);
  EXPECT_EQ(take_told().size(), 1u);
  unguard(range, Guard::kNoAccess, 1);
  EXPECT_EQ(guard(memory.bytes(1, 2 * page_ - 1), Guard::kNoAccess, 2).size(), 0u);
  unguard(memory.bytes(1, 2 * page_ - 1), Guard::kNoAccess, 2);
}

TEST_F(GuardTest, TheLastPageBelongsToWhoeverReachesTheEnd) {
  const Pinned memory(page_ + 10);
  const Range range = memory.bytes(page_, page_ + 10);
  const Range closed = guard(range, Guard::kNoWrites, 1);
  EXPECT_EQ(closed.begin, range.begin);
  EXPECT_EQ(closed.end, range.end);
  write_byte(memory.address() + page_ + 9, 1);
  EXPECT_EQ(take_told().size(), 1u);
  unguard(range, Guard::kNoWrites, 1);
  EXPECT_EQ(guard(memory.bytes(page_, page_ + 9), Guard::kNoWrites, 1).size(), 0u);
}

TEST_F(GuardTest, TakingBackWhatWasNeverGivenDoesNothing) {
  const Pinned memory(page_);
  unguard(memory.all(), Guard::kNoWrites, 1);
  guard(memory.all(), Guard::kNoWrites, 1);
  unguard(memory.all(), Guard::kNoWrites, 2);
  unguard(memory.all(), Guard::kNoAccess, 1);
  write_byte(memory.address(), 1);
  EXPECT_EQ(take_told().size(), 1u);
}

TEST_F(GuardTest, OtherMemoryIsNotGuarded) {
  std::vector<char> heap(4 * page_);
  const auto start = reinterpret_cast<uintptr_t>(heap.data());
  EXPECT_EQ(guard({start, start + heap.size()}, Guard::kNoAccess, 1).size(), 0u);
  unguard({start, start + heap.size()}, Guard::kNoAccess, 1);
  ferryx_memory memory{.address = heap.data(),
                       .size = heap.size(),
                       .storage = heap.data(),
                       .kind = FERRYX_MEMORY_REGISTERED,
                       .device = 0};
  EXPECT_FALSE(make_guardable(memory));
  EXPECT_EQ(memory.storage, heap.data());
}

TEST_F(GuardTest, RetiredMemoryIsClosedForGood) {
  Pinned memory(2 * page_);
  memory.storage()[0] = 5;
  const Range second_page = memory.bytes(page_, 2 * page_);
  guard(second_page, Guard::kNoAccess, 7);
  write_byte(memory.address() + page_, 1);
  EXPECT_EQ(take_told().size(), 1u);
  retire(memory.memory());
  EXPECT_EQ(read_byte(memory.address()), 5);
  write_byte(memory.address() + page_, 2);
  auto touches = take_told();
  ASSERT_EQ(touches.size(), 2u);
  EXPECT_TRUE(touches[0].touch.is_freed);
  EXPECT_FALSE(touches[0].touch.is_write);
  EXPECT_EQ(touches[0].touch.label, 0u) << "it has no guard";
  EXPECT_TRUE(touches[1].touch.is_freed);
  EXPECT_EQ(touches[1].touch.label, 7u);
  unguard(second_page, Guard::kNoAccess, 7);
  read_byte(memory.address());
  EXPECT_TRUE(take_told().empty()) << "reported once per page";
}

TEST_F(GuardTest, OrdinaryMemoryIsFreshAndCanBeMadeGuardableAgain) {
  Pinned memory(3 * page_);
  memory.storage()[page_] = 5;
  guard(memory.all(), Guard::kNoAccess, 1);
  retire(memory.memory());
  make_ordinary(memory.memory());
  EXPECT_EQ(read_byte(memory.address() + page_), 0);
  write_byte(memory.address() + page_, 9);
  EXPECT_EQ(guard(memory.all(), Guard::kNoAccess, 2).size(), 0u);
  EXPECT_TRUE(take_told().empty());
  ASSERT_TRUE(make_guardable(memory.memory()));
  EXPECT_EQ(memory.storage()[page_], 0) << "the old contents must be gone";
  write_byte(memory.address() + page_, 9);
  EXPECT_EQ(memory.storage()[page_], 9);
  EXPECT_TRUE(take_told().empty());
}

TEST_F(GuardTest, LeavesErrnoAlone) {
  const Pinned memory(page_);
  guard(memory.all(), Guard::kNoWrites, 1);
  errno = EXDEV;
  write_byte(memory.address(), 1);
  EXPECT_EQ(errno, EXDEV);
  EXPECT_EQ(take_told().size(), 1u);
}

// ---- threads and processes ----

TEST_F(GuardTest, ManyThreadsTouchAtOnce) {
  constexpr size_t kThreads = 80;  // more than can be reported at once
  constexpr size_t kOwnPages = 3;
  const Pinned memory((1 + kThreads * kOwnPages) * page_);
  for (size_t page = 0; page < 1 + kThreads * kOwnPages; ++page) {
    guard(memory.bytes(page * page_, (page + 1) * page_), Guard::kNoWrites, 1);
  }
  std::barrier start(kThreads);
  std::vector<std::thread> threads;
  for (size_t thread = 0; thread < kThreads; ++thread) {
    threads.emplace_back([&, thread] {
      start.arrive_and_wait();
      write_byte(memory.address() + thread, static_cast<char>(thread));
      for (size_t page = 0; page < kOwnPages; ++page) {
        write_byte(memory.address() + (1 + thread * kOwnPages + page) * page_, 1);
      }
    });
  }
  for (std::thread& thread : threads) {
    thread.join();
  }
  EXPECT_EQ(take_told().size(), 1 + kThreads * kOwnPages) << "once per page";
  for (size_t thread = 0; thread < kThreads; ++thread) {
    EXPECT_EQ(memory.storage()[thread], static_cast<char>(thread));
  }
}

TEST_F(GuardTest, GuardsComeAndGoWhileOthersTouch) {
  constexpr int kRounds = 300;
  const Pinned memory(8 * page_);
  std::atomic<bool> is_over{false};
  std::thread toucher([&] {
    for (size_t i = 0; !is_over; ++i) {
      write_byte(memory.address() + i % 8 * page_, static_cast<char>(i));
    }
  });
  std::vector<std::thread> guarders;
  for (uint64_t label = 1; label <= 2; ++label) {
    guarders.emplace_back([&, label] {
      const Range range = memory.bytes(label * page_, (label + 5) * page_);
      const Guard kind = label == 1 ? Guard::kNoWrites : Guard::kNoAccess;
      for (int round = 0; round < kRounds; ++round) {
        EXPECT_EQ(guard(range, kind, label).size(), 5 * page_);
        unguard(range, kind, label);
      }
    });
  }
  for (std::thread& thread : guarders) {
    thread.join();
  }
  is_over = true;
  toucher.join();
  for (const Told& touch : take_told()) {
    EXPECT_TRUE(touch.touch.label == 1 || touch.touch.label == 2);
  }
  write_byte(memory.address() + page_, 1);
  EXPECT_TRUE(take_told().empty()) << "all guards are gone";
}

TEST_F(GuardTest, AChildTouchesInSilenceAndForItself) {
  Pinned memory(2 * page_);
  memory.storage()[0] = 1;
  guard(memory.all(), Guard::kNoAccess, 1);
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    const bool reads = read_byte(memory.address()) == 1;
    write_byte(memory.address(), 2);
    const bool guards = guard(memory.all(), Guard::kNoAccess, 2).size() != 0;
    disown_guards_in_child();
    _exit(reads && read_byte(memory.address()) == 2 && !guards ? 0 : 1);
  }
  int status = -1;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  EXPECT_EQ(memory.storage()[0], 1);
  EXPECT_TRUE(take_told().empty());
  EXPECT_EQ(read_byte(memory.address()), 1);
  EXPECT_EQ(take_told().size(), 1u) << "the parent's pages are still closed";
}

TEST_F(GuardTest, TooManyGuardsLeaveRoomForTheProgram) {
  constexpr uint64_t kMany = 10000;
  const Pinned memory(2 * kMany * page_);
  uint64_t closed = 0;
  for (uint64_t i = 0; i < kMany; ++i) {
    closed += guard(memory.bytes(2 * i * page_, (2 * i + 1) * page_), Guard::kNoAccess, 1).size();
  }
  EXPECT_GE(closed, 200 * page_);
  EXPECT_LT(closed, kMany * page_) << "the number is limited";
  for (uint64_t i = 0; i < kMany; ++i) {
    unguard(memory.bytes(2 * i * page_, (2 * i + 1) * page_), Guard::kNoAccess, 1);
  }
  EXPECT_EQ(guard(memory.all(), Guard::kNoAccess, 1).size(), memory.all().size());
}

}  // namespace
}  // namespace ferry::layers::check
