// SPDX-License-Identifier: Apache-2.0
// Threads that share a job.
#include "backends/cuda/transfer/copy_threads.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>
#include <vector>

namespace ferry::cuda {
namespace {

// Leaked, as in the product: its threads never end.
CopyThreads& threads() {
  static auto* const instance = new CopyThreads(4);
  return *instance;
}

TEST(CopyThreads, RunEveryLaneOnce) {
  for (const uint32_t lanes : {1u, 2u, 4u, 100u}) {
    std::vector<std::atomic<int>> ran(lanes);
    threads().run(lanes, [&](uint32_t lane) { ++ran[lane]; });
    for (const std::atomic<int>& times : ran)
      EXPECT_EQ(times.load(), 1);
  }
}

TEST(CopyThreads, AreSharedByCallers) {
  std::atomic<int> total{0};
  std::vector<std::thread> callers;
  for (int caller = 0; caller < 4; ++caller) {
    callers.emplace_back([&] {
      for (int round = 0; round < 100; ++round)
        threads().run(5, [&](uint32_t /*lane*/) { ++total; });
    });
  }
  for (std::thread& caller : callers)
    caller.join();
  EXPECT_EQ(total.load(), 4 * 100 * 5);
}

TEST(CopyThreads, HelpTheCaller) {
  // Two lanes that wait for each other: a single thread would hang.
  std::atomic<int> inside{0};
  threads().run(2, [&](uint32_t /*lane*/) {
    ++inside;
    while (inside.load() < 2)
      std::this_thread::yield();
  });
  EXPECT_EQ(inside.load(), 2);
}

}  // namespace
}  // namespace ferry::cuda
