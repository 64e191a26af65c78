// SPDX-License-Identifier: Apache-2.0
// The gate to CUDA: once it is closed and empty, no thread is inside and none gets in.
#include "backends/cuda/plugin/gate.h"

#include "acl/error_codes/rt_error_codes.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>
#include <vector>

namespace ferry::cuda {
namespace {

TEST(Gate, LetsCallsInWhileItIsOpen) {
  Gate gate;
  EXPECT_TRUE(gate.is_open());
  EXPECT_TRUE(gate.is_empty());
  {
    const Gate::Pass outer(gate);
    const Gate::Pass inner(gate);
    EXPECT_TRUE(outer);
    EXPECT_TRUE(inner);
    EXPECT_FALSE(gate.is_empty());
  }
  EXPECT_TRUE(gate.is_empty());
}

TEST(Gate, RefusesCallsOnceItIsClosing) {
  Gate gate;
  EXPECT_TRUE(gate.close());
  EXPECT_FALSE(gate.is_open());
  EXPECT_EQ(Gate::State::kClosing, gate.state());
  EXPECT_FALSE(Gate::Pass(gate));
  EXPECT_TRUE(gate.is_empty());
}

TEST(Gate, IsClosedOnce) {
  Gate gate;
  EXPECT_TRUE(gate.close());
  EXPECT_FALSE(gate.close());
  gate.settle(Gate::State::kDone);
  EXPECT_FALSE(gate.close());
  EXPECT_EQ(Gate::State::kDone, gate.state());
}

TEST(Gate, IsNotEmptyBeforeThoseInsideHaveLeft) {
  Gate gate;
  std::atomic<bool> is_inside{false}, may_leave{false};
  std::thread caller([&] {
    const Gate::Pass pass(gate);
    is_inside = true;
    is_inside.notify_all();
    may_leave.wait(false);
  });
  is_inside.wait(false);
  gate.close();
  EXPECT_FALSE(gate.is_empty());
  may_leave = true;
  may_leave.notify_all();
  caller.join();
  EXPECT_TRUE(gate.is_empty());
}

TEST(Gate, TellsWhoWaitsHowItWasClosed) {
  for (const Gate::State end : {Gate::State::kDone, Gate::State::kCutOff}) {
    Gate gate;
    gate.close();
    std::atomic<Gate::State> seen{Gate::State::kOpen};
    std::thread waiter([&] { seen = gate.wait_until_closed(); });
    gate.settle(end);
    waiter.join();
    EXPECT_EQ(end, seen);
  }
}

// The gate guards a plain flag that must not be read once the gate is closed and empty.
TEST(Gate, KeepsThreadsOutThatCallAllTheTime) {
  for (int round = 0; round < 50; ++round) {
    Gate gate;
    std::atomic<bool> is_alive{true};
    std::atomic<int> started{0}, late{0};
    std::vector<std::thread> callers;
    for (int i = 0; i < 4; ++i) {
      callers.emplace_back([&] {
        ++started;
        for (;;) {
          const Gate::Pass pass(gate);
          if (!pass) return;
          if (!is_alive.load(std::memory_order_relaxed)) ++late;
        }
      });
    }
    while (started < 4)
      std::this_thread::yield();
    gate.close();
    while (!gate.is_empty())
      std::this_thread::yield();
    is_alive.store(false, std::memory_order_relaxed);
    for (std::thread& caller : callers)
      caller.join();
    EXPECT_EQ(0, late);
  }
}

TEST(Gate, SaysWhatIsLostAtTheEnd) {
  EXPECT_EQ(ACL_ERROR_RT_INTERNAL_ERROR, no_more_work().code);
  EXPECT_NE(std::string::npos, no_more_work().text.find("the process is ending"));
  EXPECT_TRUE(end_of_work(Gate::State::kDone).ok());
  EXPECT_EQ(ACL_ERROR_RT_INTERNAL_ERROR, end_of_work(Gate::State::kCutOff).code);
}

}  // namespace
}  // namespace ferry::cuda
