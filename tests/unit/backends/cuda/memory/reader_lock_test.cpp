// SPDX-License-Identifier: Apache-2.0
// The reader-writer lock: a writer is alone, and waiting threads are woken.
#include "backends/cuda/memory/reader_lock.h"

#include <gtest/gtest.h>

#include <atomic>
#include <mutex>
#include <shared_mutex>
#include <thread>
#include <vector>

namespace ferry::cuda {
namespace {

TEST(ReaderLock, IsSharedByMany) {
  ReaderLock lock;
  const std::shared_lock mine(lock);
  std::thread([&] { const std::shared_lock other(lock); }).join();
}

TEST(ReaderLock, WhoWantsItAloneWaitsForThoseWhoShareIt) {
  ReaderLock lock;
  std::atomic<bool> is_alone{false};
  lock.lock_shared();
  std::thread writer([&] {
    const std::unique_lock alone(lock);
    is_alone = true;
  });
  for (int i = 0; i < 1000; ++i)
    std::this_thread::yield();
  EXPECT_FALSE(is_alone);
  lock.unlock_shared();
  writer.join();
  EXPECT_TRUE(is_alone);
}

TEST(ReaderLock, WhoSharesItWaitsForTheOneWhoHasItAlone) {
  ReaderLock lock;
  std::atomic<bool> is_shared{false};
  lock.lock();
  std::thread reader([&] {
    const std::shared_lock shared(lock);
    is_shared = true;
  });
  for (int i = 0; i < 1000; ++i)
    std::this_thread::yield();
  EXPECT_FALSE(is_shared);
  lock.unlock();
  reader.join();
  EXPECT_TRUE(is_shared);
}

TEST(ReaderLock, NobodyReadsWhileOneWrites) {
  constexpr int kRounds = 20000;
  constexpr int kReaders = 3;
  ReaderLock lock;
  int first = 0;
  int second = 0;
  std::atomic<int> torn{0};
  std::vector<std::thread> threads;
  for (int reader = 0; reader < kReaders; ++reader) {
    threads.emplace_back([&] {
      for (int i = 0; i < kRounds; ++i) {
        const std::shared_lock shared(lock);
        if (first != second) ++torn;
      }
    });
  }
  for (int writer = 0; writer < 2; ++writer) {
    threads.emplace_back([&] {
      for (int i = 0; i < kRounds / 10; ++i) {
        const std::unique_lock alone(lock);
        ++first;
        ++second;
      }
    });
  }
  for (std::thread& thread : threads)
    thread.join();
  EXPECT_EQ(0, torn);
  EXPECT_EQ(kRounds / 5, first);
}

}  // namespace
}  // namespace ferry::cuda
