// SPDX-License-Identifier: Apache-2.0
// The progress thread with real queues and lines that run freely.
#include "backends/cuda/queue/progress.h"

#include "fake_line.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>
#include <vector>

namespace ferry::cuda::fake {
namespace {

// Its thread never ends: one for all tests.
Progress& progress() {
  static auto* started = [] {
    auto* made = new Progress;
    EXPECT_TRUE(made->start());
    return made;
  }();
  return *started;
}

class CudaProgress : public CudaQueue {
 protected:
  void SetUp() override {
    CudaQueue::SetUp();
    progress();
    line_.run_freely();
  }

  // A callout that counts and completes at once.
  static int count_in_order(Queue& queue, std::atomic<int>& counter) {
    const auto start = [](void* argument, ferryx_callout* callout) {
      if (callout == nullptr) return;
      ++*static_cast<std::atomic<int>*>(argument);
      callout->done(callout);
    };
    return call(queue, start, &counter);
  }
};

TEST_F(CudaProgress, RunsCalloutsOfManyQueues) {
  constexpr int kQueues = 8;
  constexpr int kCalls = 50;
  std::atomic<int> counter{0};
  std::vector<std::unique_ptr<Queue>> queues;
  for (int i = 0; i < kQueues; ++i)
    queues.push_back(std::make_unique<Queue>(line_, progress(), nullptr));
  for (int call = 0; call < kCalls; ++call) {
    for (const std::unique_ptr<Queue>& queue : queues) {
      EXPECT_EQ(ACL_RT_SUCCESS, count_in_order(*queue, counter));
      EXPECT_EQ(ACL_RT_SUCCESS, copy(*queue));
    }
  }
  for (const std::unique_ptr<Queue>& queue : queues)
    EXPECT_EQ(ACL_RT_SUCCESS, queue->synchronize(FERRYX_FOREVER));
  EXPECT_EQ(kQueues * kCalls, counter);
  EXPECT_EQ(size_t{kQueues * kCalls}, line_.log().size());
}

TEST_F(CudaProgress, EndsWaitsAtTheirTimeLimit) {
  Queue queue(line_, progress(), nullptr);
  Owned<Marker> marker;
  submit(queue, FERRYX_AWAIT, marker.get(), 1'000'000);
  EXPECT_EQ(ACL_RT_SUCCESS, queue.synchronize(FERRYX_FOREVER));
  ASSERT_EQ(1u, world().told().size());
  EXPECT_EQ(ACL_ERROR_RT_WAIT_TIMEOUT, world().told()[0].code);
}

TEST_F(CudaProgress, QueuesThatWaitForEachOtherComeToAnEnd) {
  FakeLine other_line;
  other_line.run_freely();
  Queue queue(line_, progress(), nullptr);
  Queue other(other_line, progress(), nullptr);
  Owned<Flag> there;
  Owned<Flag> back;
  for (int round = 0; round < 100; ++round) {
    submit(queue, FERRYX_SET_FLAG, there.get());
    submit(other, FERRYX_TAKE_FLAG, there.get());
    submit(other, FERRYX_SET_FLAG, back.get());
    submit(queue, FERRYX_TAKE_FLAG, back.get());
  }
  EXPECT_EQ(ACL_RT_SUCCESS, queue.synchronize(FERRYX_FOREVER));
  EXPECT_EQ(ACL_RT_SUCCESS, other.synchronize(FERRYX_FOREVER));
}

// Queues are created and destroyed while their callouts, waits and aborts are in progress.
TEST_F(CudaProgress, AQueueMayGoAtAnyMoment) {
  std::atomic<int> counter{0};
  Owned<Marker> never;
  for (int round = 0; round < 300; ++round) {
    Queue queue(line_, progress(), nullptr);
    count_in_order(queue, counter);
    if (round % 2 == 0) submit(queue, FERRYX_AWAIT, never.get());
    count_in_order(queue, counter);
    if (round % 3 == 0) queue.abort();
    if (round % 5 == 0) describe_copy(queue, cells_);
  }
  EXPECT_EQ(0u, line_.slots_out());
}

// The next two start no thread: the test plays its part.
TEST_F(CudaProgress, IsStillWhenNothingMovesByItself) {
  Progress by_hand;
  Queue queue(line_, by_hand, nullptr);
  EXPECT_TRUE(by_hand.is_still());
  std::atomic<int> counter{0};
  count_in_order(queue, counter);
  EXPECT_FALSE(by_hand.is_still());
  while (by_hand.visit_due_queues()) {
  }
  EXPECT_EQ(1, counter);
  EXPECT_TRUE(by_hand.is_still());
  Owned<Marker> never_reached;
  submit(queue, FERRYX_AWAIT, never_reached.get(), FERRYX_FOREVER);
  by_hand.visit_due_queues();
  EXPECT_TRUE(by_hand.is_still()) << "it waits for another thread";
}

TEST_F(CudaProgress, VisitsNobodyOncePaused) {
  Progress by_hand;
  Queue queue(line_, by_hand, nullptr);
  std::atomic<int> counter{0};
  count_in_order(queue, counter);
  EXPECT_TRUE(by_hand.visit_due_queues());
  EXPECT_EQ(1, counter);
  by_hand.pause();
  count_in_order(queue, counter);
  EXPECT_FALSE(by_hand.visit_due_queues());
  EXPECT_EQ(1, counter);
}

TEST_F(CudaProgress, ManyThreadsSubmitAndWait) {
  Queue queue(line_, progress(), nullptr);
  std::atomic<int> counter{0};
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] {
      for (int round = 0; round < 100; ++round) {
        EXPECT_EQ(ACL_RT_SUCCESS, count_in_order(queue, counter));
        EXPECT_EQ(ACL_RT_SUCCESS, queue.synchronize(FERRYX_FOREVER));
      }
    });
  }
  for (std::thread& thread : threads)
    thread.join();
  EXPECT_EQ(400, counter);
}

}  // namespace
}  // namespace ferry::cuda::fake
