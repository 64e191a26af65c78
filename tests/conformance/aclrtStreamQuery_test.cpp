// SPDX-License-Identifier: Apache-2.0
// aclrtStreamQuery: whether a stream has unfinished work. A context that stopped on failure is
// tested with aclrtSetStreamFailureMode.
#include "support/streams.h"

namespace conformance::aclrtStreamQuery_test {
namespace {

using streams::BadCopy;
using streams::Inside;
using streams::kBadArgument;
using streams::kBadHandle;
using streams::kNoContext;
using streams::kTaskFailed;
using streams::Mark;
using streams::OtherContext;
using streams::Stream;

constexpr aclrtStreamStatus kUnset = ACL_STREAM_STATUS_RESERVED;

using AclrtStreamQuery = WithStream;

// Queries until the stream has no more work; a hang ends with the time limit of the test run.
void poll_until_complete(aclrtStream stream) {
  aclrtStreamStatus status = kUnset;
  do {
    ASSERT_OK(aclrtStreamQuery(stream, &status));
    std::this_thread::yield();
  } while (status == ACL_STREAM_STATUS_NOT_READY);
  EXPECT_EQ(ACL_STREAM_STATUS_COMPLETE, status);
}

TEST_F(AclrtStreamQuery, SaysCompleteWhenThereIsNoWork) {
  for (const aclrtStream stream : {stream_, aclrtStream{nullptr}}) {
    aclrtStreamStatus status = kUnset;
    EXPECT_OK(aclrtStreamQuery(stream, &status));
    EXPECT_EQ(ACL_STREAM_STATUS_COMPLETE, status);
  }
}

TEST_F(AclrtStreamQuery, SaysNotReadyWhileThereIsWorkAndSucceeds) {
  Mark mark;
  Gate gate(stream_);
  EXPECT_OK(mark.queue(stream_));
  for (int i = 0; i < 100; ++i) {
    aclrtStreamStatus status = kUnset;
    EXPECT_OK(aclrtStreamQuery(stream_, &status));
    EXPECT_EQ(ACL_STREAM_STATUS_NOT_READY, status);
  }
  gate.open();
  EXPECT_OK(aclrtSynchronizeStream(stream_));
  aclrtStreamStatus status = kUnset;
  EXPECT_OK(aclrtStreamQuery(stream_, &status));
  EXPECT_EQ(ACL_STREAM_STATUS_COMPLETE, status);
}

TEST_F(AclrtStreamQuery, SaysNotReadyWhileTheStreamWaitsForAnEvent) {
  streams::Hold hold(stream_);
  aclrtStreamStatus status = kUnset;
  EXPECT_OK(aclrtStreamQuery(stream_, &status));
  EXPECT_EQ(ACL_STREAM_STATUS_NOT_READY, status);
  hold.release();
  EXPECT_OK(aclrtSynchronizeStream(stream_));
  EXPECT_OK(aclrtStreamQuery(stream_, &status));
  EXPECT_EQ(ACL_STREAM_STATUS_COMPLETE, status);
}

TEST_F(AclrtStreamQuery, EndsAProgramThatOnlyPolls) {
  Mark mark;
  EXPECT_OK(mark.queue(stream_));
  poll_until_complete(stream_);
  EXPECT_TRUE(mark.is_reached());
}

TEST_F(AclrtStreamQuery, EndsAProgramThatOnlyPollsAStreamThatWaitsForAnother) {
  const Stream next;
  const streams::Event event = streams::Event::ex();
  Mark first;
  Mark second;
  EXPECT_OK(first.queue(stream_));
  EXPECT_OK(aclrtRecordEvent(event, stream_));
  EXPECT_OK(aclrtStreamWaitEvent(next, event));
  EXPECT_OK(second.queue(next));
  poll_until_complete(next);
  EXPECT_TRUE(first.is_reached());
  EXPECT_TRUE(second.is_reached());
}

TEST_F(AclrtStreamQuery, TakesNullForTheDefaultStream) {
  Gate gate(nullptr);
  aclrtStreamStatus status = kUnset;
  EXPECT_OK(aclrtStreamQuery(nullptr, &status));
  EXPECT_EQ(ACL_STREAM_STATUS_NOT_READY, status);
  EXPECT_OK(aclrtStreamQuery(stream_, &status));
  EXPECT_EQ(ACL_STREAM_STATUS_COMPLETE, status);
}

TEST_F(AclrtStreamQuery, TakesAStreamOfAnotherContext) {
  const OtherContext other;
  Gate gate(stream_);
  const Inside inside(other);
  aclrtStreamStatus status = kUnset;
  EXPECT_OK(aclrtStreamQuery(stream_, &status));
  EXPECT_EQ(ACL_STREAM_STATUS_NOT_READY, status);
  EXPECT_OK(aclrtStreamQuery(nullptr, &status));
  EXPECT_EQ(ACL_STREAM_STATUS_COMPLETE, status);
  EXPECT_EQ(static_cast<aclrtContext>(other), streams::current_context());
}

TEST_F(AclrtStreamQuery, DoesNotTellAFailureAndKeepsIt) {
  BadCopy bad;
  EXPECT_OK(bad.queue(stream_));
  poll_until_complete(stream_);
  EXPECT_EQ(ACL_SUCCESS, aclrtPeekAtLastError(ACL_RT_THREAD_LEVEL));
  EXPECT_FAILS_WITH(kTaskFailed, aclrtSynchronizeStream(stream_));
}

TEST_F(AclrtStreamQuery, RefusesNullStatusFirst) {
  streams::WrongHandles wrong;
  EXPECT_FAILS(kBadArgument, "EH0008", aclrtStreamQuery(stream_, nullptr));
  EXPECT_FAILS(kBadArgument, "EH0008", aclrtStreamQuery(nullptr, nullptr));
  EXPECT_FAILS(kBadArgument, "EH0008", aclrtStreamQuery(wrong.dead_stream(), nullptr));
  on_new_thread([&] { EXPECT_FAILS(kBadArgument, "EH0008", aclrtStreamQuery(stream_, nullptr)); });
}

TEST_F(AclrtStreamQuery, RefusesHandlesThatAreNoStreamBeforeItLooksForAContext) {
  streams::WrongHandles wrong;
  aclrtStreamStatus status = kUnset;
  for (void* handle : wrong.for_stream())
    EXPECT_FAILS(kBadHandle, "EE1017", aclrtStreamQuery(handle, &status));
  on_new_thread(
      [&] { EXPECT_FAILS(kBadHandle, "EE1017", aclrtStreamQuery(wrong.dead_stream(), &status)); });
}

TEST_F(AclrtStreamQuery, NeedsAContext) {
  on_new_thread([&] {
    aclrtStreamStatus status = kUnset;
    EXPECT_FAILS(kNoContext, "EE1018", aclrtStreamQuery(stream_, &status));
    EXPECT_FAILS(kNoContext, "EE1018", aclrtStreamQuery(nullptr, &status));
  });
}

TEST_F(AclrtStreamQuery, SetsTheLastErrorOnlyForCodesOfTheRuntime) {
  streams::WrongHandles wrong;
  aclrtStreamStatus status = kUnset;
  streams::expect_last_error_rules([&] { return aclrtStreamQuery(stream_, nullptr); },
                                   [&] { return aclrtStreamQuery(wrong.dead_stream(), &status); },
                                   [&] { return aclrtStreamQuery(stream_, &status); });
}

TEST_F(AclrtStreamQuery, WorksOnManyThreadsAtOnce) {
  std::vector<Mark> marks(4);
  streams::on_threads(4, [&](int thread) {
    Mark& mark = marks[static_cast<size_t>(thread)];
    for (int i = 0; i < 20; ++i) {
      mark.clear();
      ASSERT_OK(mark.queue(stream_));
      poll_until_complete(stream_);
      ASSERT_TRUE(mark.is_reached());
    }
  });
}

}  // namespace
}  // namespace conformance::aclrtStreamQuery_test
