// SPDX-License-Identifier: Apache-2.0
// aclrtStreamAbort: drops work that has not begun and ends all waits for it.
#include "support/streams.h"

#include <atomic>

namespace conformance::aclrtStreamAbort_test {
namespace {

using streams::current_context;
using streams::Event;
using streams::Hold;
using streams::Inside;
using streams::kAborted;
using streams::kBadHandle;
using streams::kNoContext;
using streams::kOtherContext;
using streams::Mark;
using streams::OtherContext;
using streams::Stream;

using AclrtStreamAbort = WithStream;

// A thread calls `wait` repeatedly while the stream is blocked and aborted in turn, until an abort
// ends one of the calls. Any code other than 0 or kAborted fails the test.
template <class Wait>
void abort_until_a_waiter_sees_it(aclrtStream stream, Wait wait) {
  std::atomic<bool> is_seen = false;
  std::thread waiter = streams::start_in(current_context(), [&] {
    aclError code = ACL_SUCCESS;
    while (code == ACL_SUCCESS)
      code = wait();
    EXPECT_EQ(kAborted, code);
    is_seen = true;
  });
  const Event never = Event::with_flag();
  while (!is_seen) {
    EXPECT_OK(aclrtStreamWaitEvent(stream, never));
    for (int i = 0; i < 50 && !is_seen; ++i)
      std::this_thread::yield();
    EXPECT_OK(aclrtStreamAbort(stream));
  }
  waiter.join();
}

TEST_F(AclrtStreamAbort, DoesNothingToAnIdleStream) {
  EXPECT_OK(aclrtStreamAbort(stream_));
  EXPECT_OK(aclrtStreamAbort(stream_));
  Mark mark;
  EXPECT_OK(mark.queue(stream_));
  EXPECT_OK(aclrtSynchronizeStream(stream_));
  EXPECT_TRUE(mark.is_reached());
}

TEST_F(AclrtStreamAbort, ThrowsAwayWorkThatHasNotBegun) {
  Mark mark;
  Hold hold(stream_);
  EXPECT_OK(mark.queue(stream_));
  EXPECT_OK(aclrtStreamAbort(stream_));
  EXPECT_OK(aclrtSynchronizeStream(stream_));
  hold.release();
  EXPECT_OK(aclrtSynchronizeDevice());
  EXPECT_FALSE(mark.is_reached());
}

TEST_F(AclrtStreamAbort, LeavesTheStreamUsable) {
  Mark mark;
  for (int i = 0; i < 20; ++i) {
    const Hold hold(stream_);
    EXPECT_OK(mark.queue(stream_));
    EXPECT_OK(aclrtStreamAbort(stream_));
    EXPECT_FALSE(mark.is_reached());
    aclrtStreamStatus status = ACL_STREAM_STATUS_RESERVED;
    EXPECT_OK(aclrtStreamQuery(stream_, &status));
    EXPECT_EQ(ACL_STREAM_STATUS_COMPLETE, status);
    EXPECT_OK(mark.queue(stream_));
    EXPECT_OK(aclrtSynchronizeStream(stream_));
    EXPECT_TRUE(mark.is_reached());
    mark.clear();
  }
}

TEST_F(AclrtStreamAbort, LetsTheTaskThatRunsEnd) {
  Mark mark;
  Gate gate(stream_);
  const Hold hold(stream_);
  EXPECT_OK(mark.queue(stream_));
  gate.wait_until_reached();
  std::thread aborter =
      streams::start_in(current_context(), [&] { EXPECT_OK(aclrtStreamAbort(stream_)); });
  gate.open();
  aborter.join();
  EXPECT_OK(aclrtSynchronizeStream(stream_));
  EXPECT_FALSE(mark.is_reached());
}

TEST_F(AclrtStreamAbort, TakesNullForTheDefaultStream) {
  Mark own;
  Mark mark;
  const Event never = Event::with_flag();
  EXPECT_OK(aclrtStreamWaitEvent(nullptr, never));
  EXPECT_OK(mark.queue(nullptr));
  EXPECT_OK(own.queue(stream_));
  EXPECT_OK(aclrtStreamAbort(nullptr));
  EXPECT_OK(aclrtSynchronizeStream(nullptr));
  EXPECT_OK(aclrtSynchronizeStream(stream_));
  EXPECT_FALSE(mark.is_reached());
  EXPECT_TRUE(own.is_reached());
}

TEST_F(AclrtStreamAbort, EndsASynchronisation) {
  abort_until_a_waiter_sees_it(stream_, [&] { return aclrtSynchronizeStream(stream_); });
  EXPECT_OK(aclrtSynchronizeStream(stream_));
}

TEST_F(AclrtStreamAbort, EndsASynchronisationWithATimeLimit) {
  abort_until_a_waiter_sees_it(stream_,
                               [&] { return aclrtSynchronizeStreamWithTimeout(stream_, 600000); });
  abort_until_a_waiter_sees_it(stream_,
                               [&] { return aclrtSynchronizeStreamWithTimeout(stream_, -1); });
}

TEST_F(AclrtStreamAbort, EndsASynchronisationFromAnotherContext) {
  const OtherContext other;
  abort_until_a_waiter_sees_it(stream_, [&] {
    const Inside inside(other);
    return aclrtSynchronizeStream(stream_);
  });
}

TEST_F(AclrtStreamAbort, EndsACopyOfPageableMemoryWhichThenCopiesNothing) {
  DeviceBuffer device(64);
  const std::vector<uint8_t> before = pattern(64, 1);
  const std::vector<uint8_t> sent = pattern(64, 2);
  abort_until_a_waiter_sees_it(stream_, [&] {
    device.write(before);
    const aclError code =
        aclrtMemcpyAsync(device.get(), 64, sent.data(), 64, ACL_MEMCPY_HOST_TO_DEVICE, stream_);
    EXPECT_EQ(code == ACL_SUCCESS ? sent : before, device.read());
    return code;
  });
}

TEST_F(AclrtStreamAbort, EndsAllThatWait) {
  for (int round = 0; round < 10; ++round) {
    std::vector<aclError> codes(6, ACL_SUCCESS);
    const Hold hold(stream_);
    std::vector<std::thread> waiters;
    for (aclError& code : codes) {
      waiters.push_back(streams::start_in(
          current_context(), [this, &code] { code = aclrtSynchronizeStream(stream_); }));
    }
    EXPECT_OK(aclrtStreamAbort(stream_));
    for (std::thread& waiter : waiters)
      waiter.join();
    for (const aclError code : codes)
      EXPECT_TRUE(code == ACL_SUCCESS || code == kAborted) << code;
  }
}

TEST_F(AclrtStreamAbort, EndsTheWaitOfOtherStreamsForARecordThatIsGone) {
  const Event events[] = {Event::plain(), Event::with_flag(), Event::ex()};
  for (const Event& event : events) {
    std::vector<Stream> waiting(50);
    std::vector<Mark> marks(waiting.size());
    const Hold hold(stream_);
    EXPECT_OK(aclrtRecordEvent(event, stream_));
    for (size_t i = 0; i < waiting.size(); ++i) {
      EXPECT_OK(aclrtStreamWaitEvent(waiting[i], event));
      EXPECT_OK(marks[i].queue(waiting[i]));
    }
    EXPECT_OK(aclrtStreamAbort(stream_));
    for (size_t i = 0; i < waiting.size(); ++i) {
      EXPECT_OK(aclrtSynchronizeStream(waiting[i]));
      EXPECT_TRUE(marks[i].is_reached());
    }
  }
}

TEST_F(AclrtStreamAbort, EndsWaitingOnTheHostForARecordThatIsGone) {
  for (int round = 0; round < 10; ++round) {
    const Event event = Event::plain();
    const Hold hold(stream_);
    EXPECT_OK(aclrtRecordEvent(event, stream_));
    aclError code = ACL_SUCCESS;
    std::thread waiter(
        [&] { code = aclrtSynchronizeEventWithTimeout(event, round % 2 == 0 ? -1 : 600000); });
    EXPECT_OK(aclrtStreamAbort(stream_));
    waiter.join();
    EXPECT_TRUE(code == ACL_SUCCESS || code == kAborted) << code;
  }
}

TEST_F(AclrtStreamAbort, ThrowsAwayAWaitForANotify) {
  const streams::Notify notify;
  Mark mark;
  EXPECT_OK(aclrtWaitAndResetNotify(notify, stream_, 0));
  EXPECT_OK(mark.queue(stream_));
  EXPECT_OK(aclrtStreamAbort(stream_));
  EXPECT_OK(aclrtSynchronizeStream(stream_));
  EXPECT_FALSE(mark.is_reached());
  // The dropped wait must not consume a signal.
  const Stream next;
  EXPECT_OK(aclrtRecordNotify(notify, stream_));
  EXPECT_OK(aclrtWaitAndResetNotify(notify, next, 0));
  EXPECT_OK(aclrtSynchronizeStream(next));
}

TEST_F(AclrtStreamAbort, ThrowsAwayAWaitForAnEventThatIsDestroyed) {
  Event never = Event::with_flag();
  EXPECT_OK(aclrtStreamWaitEvent(stream_, never));
  EXPECT_OK(aclrtDestroyEvent(never.release()));
  EXPECT_OK(aclrtStreamAbort(stream_));
  EXPECT_OK(aclrtSynchronizeStream(stream_));
}

TEST_F(AclrtStreamAbort, EndsStreamsThatWaitForEachOther) {
  const Stream second;
  const Event first_event = Event::with_flag();
  const Event second_event = Event::with_flag();
  EXPECT_OK(aclrtStreamWaitEvent(stream_, second_event));
  EXPECT_OK(aclrtRecordEvent(first_event, stream_));
  EXPECT_OK(aclrtStreamWaitEvent(second, first_event));
  EXPECT_OK(aclrtRecordEvent(second_event, second));
  EXPECT_OK(aclrtStreamAbort(stream_));
  EXPECT_OK(aclrtSynchronizeStream(stream_));
  EXPECT_OK(aclrtSynchronizeStream(second));
}

TEST_F(AclrtStreamAbort, LeavesOtherStreamsAlone) {
  const Stream other;
  Mark mark;
  Hold hold(other);
  EXPECT_OK(mark.queue(other));
  EXPECT_OK(aclrtStreamAbort(stream_));
  EXPECT_FALSE(mark.is_reached());
  hold.release();
  EXPECT_OK(aclrtSynchronizeStream(other));
  EXPECT_TRUE(mark.is_reached());
}

TEST_F(AclrtStreamAbort, RefusesHandlesThatAreNoStreamBeforeItLooksForAContext) {
  streams::WrongHandles wrong;
  for (void* handle : wrong.for_stream())
    EXPECT_FAILS(kBadHandle, "EE1017", aclrtStreamAbort(handle));
  on_new_thread([&] { EXPECT_FAILS(kBadHandle, "EE1017", aclrtStreamAbort(wrong.dead_stream())); });
}

TEST_F(AclrtStreamAbort, NeedsTheContextOfTheStream) {
  Mark mark;
  Hold hold(stream_);
  EXPECT_OK(mark.queue(stream_));
  on_new_thread([&] {
    EXPECT_FAILS(kNoContext, "EE1018", aclrtStreamAbort(stream_));
    EXPECT_FAILS(kNoContext, "EE1018", aclrtStreamAbort(nullptr));
  });
  const OtherContext other;
  {
    const Inside inside(other);
    EXPECT_FAILS(kOtherContext, "EE1010", aclrtStreamAbort(stream_));
  }
  hold.release();
  EXPECT_OK(aclrtSynchronizeStream(stream_));
  EXPECT_TRUE(mark.is_reached());
}

TEST_F(AclrtStreamAbort, SetsTheLastErrorAndSuccessKeepsIt) {
  streams::WrongHandles wrong;
  streams::expect_last_error_rules(
      nullptr, [&] { return aclrtStreamAbort(wrong.dead_stream()); },
      [&] { return aclrtStreamAbort(stream_); });
}

TEST_F(AclrtStreamAbort, WorksWhileManyThreadsQueueAndWait) {
  std::vector<Mark> marks(4);
  streams::on_threads(4, [&](int thread) {
    for (int i = 0; i < 50; ++i) {
      if (thread == 0) {
        ASSERT_OK(aclrtStreamAbort(stream_));
        continue;
      }
      ASSERT_OK(marks[static_cast<size_t>(thread)].queue(stream_));
      const aclError code = aclrtSynchronizeStream(stream_);
      ASSERT_TRUE(code == ACL_SUCCESS || code == kAborted) << code;
    }
  });
  EXPECT_OK(aclrtSynchronizeStream(stream_));
  marks[0].clear();
  EXPECT_OK(marks[0].queue(stream_));
  EXPECT_OK(aclrtSynchronizeStream(stream_));
  EXPECT_TRUE(marks[0].is_reached());
}

}  // namespace
}  // namespace conformance::aclrtStreamAbort_test
