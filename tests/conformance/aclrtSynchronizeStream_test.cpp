// SPDX-License-Identifier: Apache-2.0
// aclrtSynchronizeStream: waits for a stream's work and fetches the failure kept on it. Stop on
// failure is tested with aclrtSetStreamFailureMode, aborts with aclrtStreamAbort.
#include "support/streams.h"

#include <algorithm>
#include <atomic>

namespace conformance::aclrtSynchronizeStream_test {
namespace {

using streams::BadCopy;
using streams::current_context;
using streams::Event;
using streams::Inside;
using streams::kBadHandle;
using streams::kNoContext;
using streams::kTaskFailed;
using streams::Mark;
using streams::OtherContext;
using streams::Stream;
using streams::TwoFailures;

using AclrtSynchronizeStream = WithStream;

TEST_F(AclrtSynchronizeStream, ReturnsAtOnceWhenThereIsNoWork) {
  EXPECT_OK(aclrtSynchronizeStream(stream_));
  EXPECT_OK(aclrtSynchronizeStream(stream_));
  EXPECT_OK(aclrtSynchronizeStream(nullptr));
}

TEST_F(AclrtSynchronizeStream, WaitsForTheWork) {
  Mark mark;
  std::atomic<bool> is_done = false;
  Gate gate(stream_);
  EXPECT_OK(mark.queue(stream_));
  std::thread waiter = streams::start_in(current_context(), [&] {
    EXPECT_OK(aclrtSynchronizeStream(stream_));
    EXPECT_TRUE(mark.is_reached());
    is_done = true;
  });
  gate.wait_until_reached();
  EXPECT_FALSE(is_done);
  gate.open();
  waiter.join();
}

TEST_F(AclrtSynchronizeStream, TakesNullForTheDefaultStream) {
  Mark mark;
  Gate gate(nullptr);
  EXPECT_OK(mark.queue(nullptr));
  std::atomic<bool> is_done = false;
  std::thread waiter = streams::start_in(current_context(), [&] {
    EXPECT_OK(aclrtSynchronizeStream(nullptr));
    is_done = true;
  });
  gate.wait_until_reached();
  EXPECT_FALSE(is_done);
  gate.open();
  waiter.join();
  EXPECT_TRUE(mark.is_reached());
}

TEST_F(AclrtSynchronizeStream, WaitsForOneStreamOnly) {
  const Stream busy;
  Gate gate(busy);
  EXPECT_OK(aclrtSynchronizeStream(stream_));
}

TEST_F(AclrtSynchronizeStream, WaitsForWorkThatAnotherThreadQueued) {
  Mark mark;
  streams::start_in(current_context(), [&] { EXPECT_OK(mark.queue(stream_)); }).join();
  EXPECT_OK(aclrtSynchronizeStream(stream_));
  EXPECT_TRUE(mark.is_reached());
}

TEST_F(AclrtSynchronizeStream, ReturnsAtOnceForStreamsThatTheHostDoesNotWaitFor) {
  for (const uint32_t flag :
       {ACL_STREAM_PERSISTENT, ACL_STREAM_CPU_SCHEDULE, ACL_STREAM_DEVICE_USE_ONLY}) {
    const Stream stream(flag);
    const streams::Hold hold(stream);
    EXPECT_OK(aclrtSynchronizeStream(stream));
    EXPECT_OK(aclrtSynchronizeStreamWithTimeout(stream, -1));
    EXPECT_OK(aclrtSynchronizeStreamWithTimeout(stream, 1));
  }
}

TEST_F(AclrtSynchronizeStream, RefusesHandlesThatAreNoStreamBeforeItLooksForAContext) {
  streams::WrongHandles wrong;
  for (void* handle : wrong.for_stream())
    EXPECT_FAILS(kBadHandle, "EE1017", aclrtSynchronizeStream(handle));
  on_new_thread(
      [&] { EXPECT_FAILS(kBadHandle, "EE1017", aclrtSynchronizeStream(wrong.dead_stream())); });
}

TEST_F(AclrtSynchronizeStream, NeedsAContext) {
  on_new_thread([&] {
    EXPECT_FAILS(kNoContext, "EE1018", aclrtSynchronizeStream(stream_));
    EXPECT_FAILS(kNoContext, "EE1018", aclrtSynchronizeStream(nullptr));
  });
}

TEST_F(AclrtSynchronizeStream, SetsTheLastErrorAndSuccessKeepsIt) {
  streams::WrongHandles wrong;
  streams::expect_last_error_rules(
      nullptr, [&] { return aclrtSynchronizeStream(wrong.dead_stream()); },
      [&] { return aclrtSynchronizeStream(stream_); });
}

TEST_F(AclrtSynchronizeStream, TakesAStreamOfAnotherContextAndKeepsTheCurrentOne) {
  const OtherContext other;
  Mark mark;
  Gate gate(stream_);
  EXPECT_OK(mark.queue(stream_));
  std::atomic<bool> is_done = false;
  std::thread waiter = streams::start_in(other, [&] {
    EXPECT_OK(aclrtSynchronizeStream(stream_));
    is_done = true;
    EXPECT_EQ(static_cast<aclrtContext>(other), current_context());
  });
  gate.wait_until_reached();
  EXPECT_FALSE(is_done);
  gate.open();
  waiter.join();
  EXPECT_TRUE(mark.is_reached());
}

TEST_F(AclrtSynchronizeStream, FetchesAFailureFromAnotherContext) {
  BadCopy bad;
  EXPECT_OK(bad.queue(stream_));
  {
    const OtherContext other;
    const Inside inside(other);
    EXPECT_FAILS_WITH(kTaskFailed, aclrtSynchronizeStream(stream_));
  }
  EXPECT_OK(aclrtSynchronizeStream(stream_));
}

TEST_F(AclrtSynchronizeStream, ReturnsAFailureOnceAndNamesTheCallThatQueuedIt) {
  BadCopy bad;
  EXPECT_OK(bad.queue(stream_));
  clear_errors();
  EXPECT_EQ(kTaskFailed, aclrtSynchronizeStream(stream_));
  EXPECT_EQ(kTaskFailed, aclrtGetLastError(ACL_RT_THREAD_LEVEL));
  const std::string text = recent_text();
  EXPECT_EQ(0u, text.rfind("aclrtSynchronizeStream: ", 0)) << text;
  EXPECT_NE(std::string::npos, text.find("aclrtMemcpyAsync")) << text;
  EXPECT_OK(aclrtSynchronizeStream(stream_));
}

TEST_F(AclrtSynchronizeStream, RunsWorkBehindAFailure) {
  BadCopy bad;
  Mark mark;
  EXPECT_OK(bad.queue(stream_));
  EXPECT_OK(mark.queue(stream_));
  EXPECT_FAILS_WITH(kTaskFailed, aclrtSynchronizeStream(stream_));
  EXPECT_TRUE(mark.is_reached());
  mark.clear();
  EXPECT_OK(mark.queue(stream_));
  EXPECT_OK(aclrtSynchronizeStream(stream_));
  EXPECT_TRUE(mark.is_reached());
}

TEST_F(AclrtSynchronizeStream, ReturnsManyFailuresAsOne) {
  BadCopy bad;
  for (int i = 0; i < 10; ++i)
    EXPECT_OK(bad.queue(stream_));
  EXPECT_FAILS_WITH(kTaskFailed, aclrtSynchronizeStream(stream_));
  EXPECT_OK(aclrtSynchronizeStream(stream_));
}

TEST_F(AclrtSynchronizeStream, ReturnsTheLastFailure) {
  TwoFailures failures;
  failures.queue(stream_, TwoFailures::Order::kCallbackFirst);
  EXPECT_FAILS_WITH(kTaskFailed, aclrtSynchronizeStream(stream_));
  EXPECT_OK(aclrtSynchronizeStream(stream_));
  failures.queue(stream_, TwoFailures::Order::kCopyFirst);
  EXPECT_FAILS_WITH(TwoFailures::kCallbackFailed, aclrtSynchronizeStream(stream_));
  EXPECT_OK(aclrtSynchronizeStream(stream_));
}

TEST_F(AclrtSynchronizeStream, KeepsAFailureOnItsStream) {
  const Stream other;
  BadCopy bad;
  EXPECT_OK(bad.queue(other));
  EXPECT_OK(aclrtSynchronizeStream(stream_));
  EXPECT_OK(aclrtSynchronizeStream(nullptr));
  EXPECT_FAILS_WITH(kTaskFailed, aclrtSynchronizeStream(other));
}

TEST_F(AclrtSynchronizeStream, DoesNotPassAFailureOnThroughAnEvent) {
  const Stream next;
  const Event event = Event::ex();
  BadCopy bad;
  EXPECT_OK(bad.queue(stream_));
  EXPECT_OK(aclrtRecordEvent(event, stream_));
  EXPECT_OK(aclrtStreamWaitEvent(next, event));
  EXPECT_OK(aclrtSynchronizeStream(next));
  EXPECT_FAILS_WITH(kTaskFailed, aclrtSynchronizeStream(stream_));
}

TEST_F(AclrtSynchronizeStream, FailsForMemoryThatWasFreedBeforeTheCopyRan) {
  PinnedBuffer host(256);
  void* device = nullptr;
  ASSERT_OK(aclrtMalloc(&device, 256, ACL_MEM_MALLOC_HUGE_FIRST));
  Gate gate(stream_);
  EXPECT_OK(aclrtMemcpyAsync(device, 256, host.get(), 256, ACL_MEMCPY_HOST_TO_DEVICE, stream_));
  EXPECT_OK(aclrtFree(device));
  gate.open();
  EXPECT_FAILS_WITH(kTaskFailed, aclrtSynchronizeStream(stream_));
  EXPECT_OK(aclrtSynchronizeStream(stream_));
}

TEST_F(AclrtSynchronizeStream, FailsForAPinnedRangeThatLeavesItsAllocation) {
  const size_t size = size_t{1} << 20;
  PinnedBuffer host(64);
  DeviceBuffer device(size);
  const std::vector<uint8_t> before = pattern(size, 7);
  device.write(before);
  EXPECT_OK(
      aclrtMemcpyAsync(device.get(), size, host.get(), size, ACL_MEMCPY_HOST_TO_DEVICE, stream_));
  EXPECT_FAILS_WITH(kTaskFailed, aclrtSynchronizeStream(stream_));
  EXPECT_EQ(before, device.read()) << "a copy that fails must not write";
}

TEST_F(AclrtSynchronizeStream, GivesAFailureToOneOfManyThreads) {
  BadCopy bad;
  std::vector<aclError> codes(8, ACL_SUCCESS);
  {
    Gate gate(stream_);
    EXPECT_OK(bad.queue(stream_));
    std::vector<std::thread> waiters;
    for (aclError& code : codes) {
      waiters.push_back(streams::start_in(
          current_context(), [this, &code] { code = aclrtSynchronizeStream(stream_); }));
    }
    gate.wait_until_reached();
    gate.open();
    for (std::thread& waiter : waiters)
      waiter.join();
  }
  EXPECT_EQ(1, std::count(codes.begin(), codes.end(), kTaskFailed));
  EXPECT_EQ(7, std::count(codes.begin(), codes.end(), ACL_SUCCESS));
}

TEST_F(AclrtSynchronizeStream, KeepsTheTextOfAThreadFromTheOthers) {
  BadCopy bad;
  EXPECT_OK(bad.queue(stream_));
  clear_errors();
  streams::start_in(current_context(), [&] {
    EXPECT_EQ(kTaskFailed, aclrtSynchronizeStream(stream_));
    EXPECT_NE("", recent_text());
  }).join();
  EXPECT_EQ("", recent_text());
  EXPECT_EQ(ACL_SUCCESS, aclrtPeekAtLastError(ACL_RT_THREAD_LEVEL));
}

TEST_F(AclrtSynchronizeStream, LetsManyThreadsQueueAndWaitOnOneStream) {
  constexpr size_t kThreads = 4;
  constexpr size_t kCopies = 100;
  constexpr size_t kBytes = 64;
  DeviceBuffer device(kThreads * kCopies * kBytes);
  PinnedBuffer host(kBytes);
  host.fill(pattern(kBytes, 5));
  streams::on_threads(kThreads, [&](int thread) {
    for (size_t i = 0; i < kCopies; ++i) {
      const size_t cell = static_cast<size_t>(thread) * kCopies + i;
      ASSERT_OK(aclrtMemcpyAsync(device.at(cell * kBytes), kBytes, host.get(), kBytes,
                                 ACL_MEMCPY_HOST_TO_DEVICE, stream_));
      if (i % 10 == 9) {
        ASSERT_OK(aclrtSynchronizeStream(stream_));
        ASSERT_EQ(pattern(kBytes, 5), device.read(cell * kBytes, kBytes));
      }
    }
  });
}

}  // namespace
}  // namespace conformance::aclrtSynchronizeStream_test
