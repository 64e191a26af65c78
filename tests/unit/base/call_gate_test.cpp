// SPDX-License-Identifier: Apache-2.0
// The gate of snapshots: calls inside are waited for, calls outside wait.
#include "base/call_gate.h"

#include <gtest/gtest.h>

#include <atomic>
#include <csetjmp>
#include <future>
#include <thread>
#include <vector>

namespace ferry {
namespace {

using Clock = std::chrono::steady_clock;

CallGate& gate() {
  return CallGate::instance();
}

bool is_empty_now() {
  return gate().wait_until_empty(Clock::now());
}

bool becomes_empty() {
  return gate().wait_until_empty(Clock::now() + std::chrono::seconds(20));
}

TEST(CallGate, IsEmptyUntilACallEnters) {
  EXPECT_TRUE(is_empty_now());
  std::promise<void> entered;
  std::promise<void> leave;
  std::thread inside([&] {
    const CallGate::Entry entry;
    entered.set_value();
    leave.get_future().wait();
  });
  entered.get_future().wait();
  EXPECT_FALSE(is_empty_now());
  gate().close();
  EXPECT_FALSE(is_empty_now());
  leave.set_value();
  EXPECT_TRUE(becomes_empty());
  gate().open();
  inside.join();
}

TEST(CallGate, HoldsCallsOfOtherThreads) {
  gate().close();
  std::atomic<bool> is_open{false};
  std::vector<std::thread> held;
  for (int i = 0; i < 4; ++i) {
    held.emplace_back([&] {
      const CallGate::Entry entry;
      EXPECT_TRUE(is_open);
    });
  }
  {
    const CallGate::Entry own;  // the thread that closed it passes
    EXPECT_TRUE(becomes_empty());
  }
  is_open = true;
  gate().open();
  for (std::thread& thread : held)
    thread.join();
  EXPECT_TRUE(is_empty_now());
}

TEST(CallGate, ACallInsideACallIsNotHeld) {
  std::promise<void> entered;
  std::promise<void> closed;
  std::thread inside([&] {
    const CallGate::Entry outer;
    entered.set_value();
    closed.get_future().wait();
    const CallGate::Entry inner;  // would wait for ever: the gate waits for the outer one
  });
  entered.get_future().wait();
  gate().close();
  closed.set_value();
  EXPECT_TRUE(becomes_empty());
  gate().open();
  inside.join();
}

jmp_buf way_out;

TEST(CallGate, AJumpLeavesTheCall) {
  if (setjmp(way_out) == 0) {
    const CallGate::Entry outer;
    const CallGate::Entry inner;
    longjmp(way_out, 1);
  }
  EXPECT_TRUE(is_empty_now());
}

// Between closing and opening nobody else writes: with ThreadSanitizer, a call that slips through
// is a race.
TEST(CallGate, ExcludesEveryCallWhileItIsClosed) {
  uint64_t shared[4] = {};
  std::atomic<bool> is_over{false};
  std::vector<std::thread> callers;
  for (uint64_t& own : shared) {
    callers.emplace_back([&] {
      while (!is_over) {
        const CallGate::Entry entry;
        ++own;
      }
    });
  }
  for (int round = 0; round < 200; ++round) {
    gate().close();
    ASSERT_TRUE(becomes_empty());
    for (uint64_t& each : shared)
      each += 1000;
    gate().open();
  }
  is_over = true;
  for (std::thread& caller : callers)
    caller.join();
  for (const uint64_t each : shared)
    EXPECT_GE(each, 200U * 1000U);
}

}  // namespace
}  // namespace ferry
