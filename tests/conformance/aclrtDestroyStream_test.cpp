// SPDX-License-Identifier: Apache-2.0
// aclrtDestroyStream: waits for the work of a stream, then destroys it.
#include "support/streams.h"

#include <atomic>

namespace conformance::aclrtDestroyStream_test {
namespace {

using streams::BadCopy;
using streams::current_context;
using streams::Event;
using streams::Inside;
using streams::kBadArgument;
using streams::kBadHandle;
using streams::kBadValue;
using streams::kNoContext;
using streams::kOtherContext;
using streams::Mark;
using streams::OtherContext;
using streams::Stream;

using AclrtDestroyStream = WithDevice;

TEST_F(AclrtDestroyStream, DestroysAStream) {
  aclrtStream stream = nullptr;
  ASSERT_OK(aclrtCreateStream(&stream));
  EXPECT_OK(aclrtDestroyStream(stream));
  EXPECT_FAILS(kBadHandle, "EE1017", aclrtDestroyStream(stream));
}

TEST_F(AclrtDestroyStream, RefusesNullEvenThoughThereIsADefaultStream) {
  EXPECT_FAILS(kBadArgument, "EH0008", aclrtDestroyStream(nullptr));
  on_new_thread([] { EXPECT_FAILS(kBadArgument, "EH0008", aclrtDestroyStream(nullptr)); });
}

TEST_F(AclrtDestroyStream, RefusesTheDefaultStream) {
  aclrtStream stream = nullptr;
  ASSERT_OK(aclrtCtxGetCurrentDefaultStream(&stream));
  EXPECT_FAILS_WITH(kBadValue, aclrtDestroyStream(stream));
  Mark mark;
  EXPECT_OK(mark.queue(nullptr));
  EXPECT_OK(aclrtSynchronizeStream(nullptr));
  EXPECT_TRUE(mark.is_reached());
}

TEST_F(AclrtDestroyStream, RefusesHandlesThatAreNoStream) {
  streams::WrongHandles wrong;
  for (void* handle : wrong.for_stream())
    EXPECT_FAILS(kBadHandle, "EE1017", aclrtDestroyStream(handle));
}

TEST_F(AclrtDestroyStream, ChecksTheHandleBeforeTheContext) {
  streams::WrongHandles wrong;
  on_new_thread(
      [&] { EXPECT_FAILS(kBadHandle, "EE1017", aclrtDestroyStream(wrong.dead_stream())); });
}

TEST_F(AclrtDestroyStream, NeedsAContext) {
  const Stream stream;
  on_new_thread([&] { EXPECT_FAILS(kNoContext, "EE1018", aclrtDestroyStream(stream)); });
  EXPECT_OK(aclrtSynchronizeStream(stream));
}

TEST_F(AclrtDestroyStream, RefusesAStreamOfAnotherContext) {
  const Stream stream;
  const OtherContext other;
  const Inside inside(other);
  EXPECT_FAILS(kOtherContext, "EE1010", aclrtDestroyStream(stream));
  EXPECT_OK(aclrtSynchronizeStream(stream));
}

TEST_F(AclrtDestroyStream, SetsTheLastErrorOnlyForCodesOfTheRuntime) {
  streams::WrongHandles wrong;
  Stream stream;
  streams::expect_last_error_rules([] { return aclrtDestroyStream(nullptr); },
                                   [&] { return aclrtDestroyStream(wrong.dead_stream()); },
                                   [&] { return aclrtDestroyStream(stream.release()); });
}

TEST_F(AclrtDestroyStream, WaitsForPendingWork) {
  Stream stream;
  Mark mark;
  Gate gate(stream);
  EXPECT_OK(mark.queue(stream));
  std::atomic<bool> is_destroyed = false;
  std::thread destroyer = streams::start_in(current_context(), [&, handle = stream.release()] {
    EXPECT_OK(aclrtDestroyStream(handle));
    is_destroyed = true;
  });
  gate.wait_until_reached();
  EXPECT_FALSE(is_destroyed);
  gate.open();
  destroyer.join();
  EXPECT_TRUE(mark.is_reached());
}

TEST_F(AclrtDestroyStream, WaitsForWorkThatWaitsForAnotherStream) {
  const Stream first;
  Stream second;
  const Event event = Event::ex();
  Mark mark;
  Gate gate(first);
  EXPECT_OK(aclrtRecordEvent(event, first));
  EXPECT_OK(aclrtStreamWaitEvent(second, event));
  EXPECT_OK(mark.queue(second));
  std::atomic<bool> is_destroyed = false;
  std::thread destroyer = streams::start_in(current_context(), [&, handle = second.release()] {
    EXPECT_OK(aclrtDestroyStream(handle));
    is_destroyed = true;
  });
  EXPECT_FALSE(is_destroyed);
  gate.open();
  destroyer.join();
  EXPECT_TRUE(mark.is_reached());
}

TEST_F(AclrtDestroyStream, LosesAFailureKeptOnTheStream) {
  BadCopy bad;
  Stream stream;
  EXPECT_OK(bad.queue(stream));
  EXPECT_OK(aclrtDestroyStream(stream.release()));
  const Stream next;
  EXPECT_OK(aclrtSynchronizeStream(next));
  EXPECT_OK(aclrtSynchronizeDevice());
}

TEST_F(AclrtDestroyStream, KeepsEventsRecordedOnTheStream) {
  Stream stream;
  const Event event = Event::plain();
  EXPECT_OK(aclrtRecordEvent(event, stream));
  EXPECT_OK(aclrtDestroyStream(stream.release()));
  aclrtEventRecordedStatus status = ACL_EVENT_RECORDED_STATUS_NOT_READY;
  EXPECT_OK(aclrtQueryEventStatus(event, &status));
  EXPECT_EQ(ACL_EVENT_RECORDED_STATUS_COMPLETE, status);
  const Stream next;
  EXPECT_OK(aclrtStreamWaitEvent(next, event));
  EXPECT_OK(aclrtSynchronizeStream(next));
}

TEST_F(AclrtDestroyStream, LeavesOtherStreamsAlone) {
  const Stream busy;
  Mark mark;
  Gate gate(busy);
  EXPECT_OK(mark.queue(busy));
  Stream idle;
  EXPECT_OK(aclrtDestroyStream(idle.release()));
  EXPECT_FALSE(mark.is_reached());
  gate.open();
  EXPECT_OK(aclrtSynchronizeStream(busy));
  EXPECT_TRUE(mark.is_reached());
}

TEST_F(AclrtDestroyStream, MakesEveryUseOfTheHandleAnError) {
  streams::WrongHandles wrong;
  const aclrtStream dead = wrong.dead_stream();
  const Event event = Event::plain();
  const streams::Notify notify;
  Mark mark;
  EXPECT_FAILS(kBadHandle, "EE1017", aclrtRecordEvent(event, dead));
  EXPECT_FAILS(kBadHandle, "EE1017", aclrtRecordNotify(notify, dead));
  EXPECT_FAILS(kBadHandle, "EE1017",
               aclrtLaunchHostFunc(
                   dead, [](void*) {}, nullptr));
  EXPECT_EQ(kBadHandle, mark.queue(dead));
}

TEST_F(AclrtDestroyStream, DestroysStreamsOnManyThreadsAtOnce) {
  std::vector<Mark> marks(40);
  streams::on_threads(4, [&](int thread) {
    for (int i = 0; i < 10; ++i) {
      Stream stream;
      EXPECT_OK(marks[static_cast<size_t>(thread * 10 + i)].queue(stream));
      EXPECT_OK(aclrtDestroyStream(stream.release()));
    }
  });
  for (const Mark& mark : marks)
    EXPECT_TRUE(mark.is_reached());
}

}  // namespace
}  // namespace conformance::aclrtDestroyStream_test
