// SPDX-License-Identifier: Apache-2.0
// Findings on their way to the reporting thread: all of them, in order, and no thread waits
// forever.
#include "layers/check/report/finding_queue.h"

#include <gtest/gtest.h>

#include <chrono>
#include <functional>
#include <latch>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace ferry::layers::check {
namespace {

using enum FindingQueue::Patience;

Finding numbered(int number) {
  Finding finding;
  finding.sentence = std::to_string(number);
  return finding;
}

// Leaked: its thread lives as long as the process.
FindingQueue& open_queue(std::function<void(const Finding&)> tell) {
  auto* queue = new FindingQueue;
  EXPECT_TRUE(queue->open(std::move(tell)).ok());
  return *queue;
}

TEST(FindingQueue, TellsAllInOrderBeforeAWaitEnds) {
  static std::vector<std::string> told;
  FindingQueue& queue =
      open_queue([](const Finding& finding) { told.push_back(finding.sentence); });
  std::vector<std::string> expected;
  for (int i = 0; i < 1000; ++i) {
    queue.push(numbered(i));
    expected.push_back(std::to_string(i));
    if (i % 100 == 0) {
      queue.await_told(kOnce);
      EXPECT_EQ(told, expected);
    }
  }
  queue.await_told(kOnce);
  EXPECT_EQ(told, expected);
}

// In total they take longer than a single one may.
TEST(FindingQueue, WaitsForManyThatTakeTheirTime) {
  static int told = 0;
  FindingQueue& queue = open_queue([](const Finding&) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(600);
    while (std::chrono::steady_clock::now() < end)
      std::this_thread::yield();
    ++told;
  });
  for (int i = 0; i < 4; ++i)
    queue.push(numbered(i));
  queue.await_told(kOnce);
  EXPECT_EQ(told, 4);
}

TEST(FindingQueue, WaitsOnceForWhatCannotBeTold) {
  static std::latch may_go_on{1};
  static std::vector<std::string> told;
  FindingQueue& queue = open_queue([](const Finding& finding) {
    may_go_on.wait();
    told.push_back(finding.sentence);
  });
  queue.push(numbered(1));
  queue.await_told(kOnce);  // gives up
  const auto start = std::chrono::steady_clock::now();
  for (int i = 0; i < 100; ++i)
    queue.await_told(kOnce);
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(2));
  may_go_on.count_down();
  queue.await_told(kAgain);
  EXPECT_EQ(told, std::vector<std::string>({"1"}));
  queue.push(numbered(2));
  queue.await_told(kOnce);
  EXPECT_EQ(told, std::vector<std::string>({"1", "2"}));
}

}  // namespace
}  // namespace ferry::layers::check
