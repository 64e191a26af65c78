// SPDX-License-Identifier: Apache-2.0
// aclrtWaitAndResetNotify: a wait that consumes the signal, with a time limit in seconds. The limit
// of aclrtSetOpWaitTimeout is tested with that function.
#include "support/streams.h"

namespace conformance::aclrtWaitAndResetNotify_test {
namespace {

using streams::Inside;
using streams::kBadArgument;
using streams::kBadHandle;
using streams::kNoContext;
using streams::kOtherContext;
using streams::kWaitTimedOut;
using streams::Mark;
using streams::Notify;
using streams::OtherContext;
using streams::Stream;

constexpr aclError kSyncTimedOut = 507046;

using AclrtWaitAndResetNotify = WithStream;

TEST_F(AclrtWaitAndResetNotify, HoldsWorkQueuedLaterUntilTheSignal) {
  const Stream signalling;
  const Notify notify;
  for (const uint32_t timeout : {0u, 600u, UINT32_MAX - 1, UINT32_MAX}) {
    Mark mark;
    EXPECT_OK(aclrtWaitAndResetNotify(notify, stream_, timeout));
    EXPECT_OK(mark.queue(stream_));
    EXPECT_EQ(kSyncTimedOut, aclrtSynchronizeStreamWithTimeout(stream_, 1));
    EXPECT_FALSE(mark.is_reached());
    EXPECT_OK(aclrtRecordNotify(notify, signalling));
    EXPECT_OK(aclrtSynchronizeStream(stream_));
    EXPECT_TRUE(mark.is_reached());
  }
}

TEST_F(AclrtWaitAndResetNotify, TakesTheSignalBack) {
  const Stream signalling;
  const Notify notify;
  EXPECT_OK(aclrtRecordNotify(notify, signalling));
  EXPECT_OK(aclrtWaitAndResetNotify(notify, stream_, 0));
  EXPECT_OK(aclrtSynchronizeStream(stream_));
  EXPECT_OK(aclrtWaitAndResetNotify(notify, stream_, 0));
  EXPECT_EQ(kSyncTimedOut, aclrtSynchronizeStreamWithTimeout(stream_, 1));
  EXPECT_OK(aclrtRecordNotify(notify, signalling));
  EXPECT_OK(aclrtSynchronizeStream(stream_));
}

TEST_F(AclrtWaitAndResetNotify, TakesASignalOfItsOwnStream) {
  const Notify notify;
  for (int i = 0; i < 20; ++i) {
    EXPECT_OK(aclrtRecordNotify(notify, stream_));
    EXPECT_OK(aclrtWaitAndResetNotify(notify, stream_, 0));
  }
  EXPECT_OK(aclrtSynchronizeStream(stream_));
}

TEST_F(AclrtWaitAndResetNotify, GivesEachSignalToOneWait) {
  const Stream signalling;
  const Notify notify;
  std::vector<Stream> waiting(5);
  for (const Stream& stream : waiting)
    EXPECT_OK(aclrtWaitAndResetNotify(notify, stream, 0));
  for (size_t released = 1; released <= waiting.size(); ++released) {
    EXPECT_OK(aclrtRecordNotify(notify, signalling));
    EXPECT_OK(aclrtSynchronizeStream(signalling));
    // Any of them may continue, but only as many as there were signals; the others stay blocked.
    size_t done = 0;
    while (done < released) {
      done = 0;
      for (const Stream& stream : waiting) {
        aclrtStreamStatus status = ACL_STREAM_STATUS_RESERVED;
        ASSERT_OK(aclrtStreamQuery(stream, &status));
        done += status == ACL_STREAM_STATUS_COMPLETE;
      }
      ASSERT_LE(done, released);
      std::this_thread::yield();
    }
  }
}

TEST_F(AclrtWaitAndResetNotify, GoesOnWhenTheTimeIsOverAndKeepsAFailure) {
  const Stream signalling;
  const Notify notify;
  Mark mark;
  EXPECT_OK(aclrtWaitAndResetNotify(notify, stream_, 1));
  EXPECT_OK(mark.queue(stream_));
  EXPECT_FAILS_WITH(kWaitTimedOut, aclrtSynchronizeStream(stream_));
  EXPECT_TRUE(mark.is_reached());
  EXPECT_OK(aclrtSynchronizeStream(stream_));
  // A wait that has ended must not consume a later signal.
  EXPECT_OK(aclrtRecordNotify(notify, signalling));
  EXPECT_OK(aclrtWaitAndResetNotify(notify, stream_, 0));
  EXPECT_OK(aclrtSynchronizeStream(stream_));
}

TEST_F(AclrtWaitAndResetNotify, TakesNullForTheDefaultStream) {
  const Notify notify;
  EXPECT_OK(aclrtWaitAndResetNotify(notify, nullptr, 0));
  EXPECT_EQ(kSyncTimedOut, aclrtSynchronizeStreamWithTimeout(nullptr, 1));
  EXPECT_OK(aclrtRecordNotify(notify, stream_));
  EXPECT_OK(aclrtSynchronizeStream(nullptr));
}

TEST_F(AclrtWaitAndResetNotify, RefusesNullFirst) {
  streams::WrongHandles wrong;
  EXPECT_FAILS(kBadArgument, "EH0008", aclrtWaitAndResetNotify(nullptr, stream_, 0));
  EXPECT_FAILS(kBadArgument, "EH0008", aclrtWaitAndResetNotify(nullptr, wrong.dead_stream(), 0));
  on_new_thread(
      [] { EXPECT_FAILS(kBadArgument, "EH0008", aclrtWaitAndResetNotify(nullptr, nullptr, 0)); });
}

TEST_F(AclrtWaitAndResetNotify, RefusesHandlesOfAnotherTypeBeforeItLooksForAContext) {
  streams::WrongHandles wrong;
  const Notify notify;
  for (void* handle : wrong.for_notify())
    EXPECT_FAILS(kBadHandle, "EE1017", aclrtWaitAndResetNotify(handle, stream_, 0));
  for (void* handle : wrong.for_stream())
    EXPECT_FAILS(kBadHandle, "EE1017", aclrtWaitAndResetNotify(notify, handle, 0));
  on_new_thread([&] {
    EXPECT_FAILS(kBadHandle, "EE1017", aclrtWaitAndResetNotify(wrong.dead_notify(), stream_, 0));
  });
}

TEST_F(AclrtWaitAndResetNotify, NeedsTheContextOfTheStream) {
  const Notify notify;
  on_new_thread([&] {
    EXPECT_FAILS(kNoContext, "EE1018", aclrtWaitAndResetNotify(notify, stream_, 0));
    EXPECT_FAILS(kNoContext, "EE1018", aclrtWaitAndResetNotify(notify, nullptr, 0));
  });
  const OtherContext other;
  {
    const Inside inside(other);
    EXPECT_FAILS(kOtherContext, "EE1010", aclrtWaitAndResetNotify(notify, stream_, 0));
  }
  EXPECT_OK(aclrtSynchronizeStream(stream_)) << "nothing was queued";
}

TEST_F(AclrtWaitAndResetNotify, SetsTheLastErrorOnlyForCodesOfTheRuntime) {
  streams::WrongHandles wrong;
  const Notify notify;
  EXPECT_OK(aclrtRecordNotify(notify, stream_));
  streams::expect_last_error_rules(
      [&] { return aclrtWaitAndResetNotify(nullptr, stream_, 0); },
      [&] { return aclrtWaitAndResetNotify(wrong.dead_notify(), stream_, 0); },
      [&] { return aclrtWaitAndResetNotify(notify, stream_, 0); });
  EXPECT_OK(aclrtSynchronizeStream(stream_));
}

}  // namespace
}  // namespace conformance::aclrtWaitAndResetNotify_test
