// SPDX-License-Identifier: Apache-2.0
// aclrtSynchronizeStreamWithTimeout: like aclrtSynchronizeStream, with a time limit.
#include "support/streams.h"

namespace conformance::aclrtSynchronizeStreamWithTimeout_test {
namespace {

using streams::BadCopy;
using streams::current_context;
using streams::Inside;
using streams::kBadHandle;
using streams::kBadValue;
using streams::kNoContext;
using streams::kTaskFailed;
using streams::Mark;
using streams::OtherContext;

constexpr aclError kTimedOut = 507046;

using AclrtSynchronizeStreamWithTimeout = WithStream;

TEST_F(AclrtSynchronizeStreamWithTimeout, WaitsForTheWork) {
  Mark mark;
  for (const int32_t timeout : {-1, 600000, INT32_MAX}) {
    mark.clear();
    EXPECT_OK(mark.queue(stream_));
    EXPECT_OK(aclrtSynchronizeStreamWithTimeout(stream_, timeout));
    EXPECT_TRUE(mark.is_reached());
  }
}

TEST_F(AclrtSynchronizeStreamWithTimeout, ReturnsAtOnceWhenThereIsNoWork) {
  EXPECT_OK(aclrtSynchronizeStreamWithTimeout(stream_, 1));
  EXPECT_OK(aclrtSynchronizeStreamWithTimeout(nullptr, 1));
}

TEST_F(AclrtSynchronizeStreamWithTimeout, EndsWhenTheTimeIsOverAndTheWorkGoesOn) {
  Mark mark;
  Gate gate(stream_);
  EXPECT_OK(mark.queue(stream_));
  clear_errors();
  EXPECT_FAILS(kTimedOut, "EE1002", aclrtSynchronizeStreamWithTimeout(stream_, 1));
  EXPECT_EQ(kTimedOut, aclrtGetLastError(ACL_RT_THREAD_LEVEL));
  EXPECT_FAILS(kTimedOut, "EE1002", aclrtSynchronizeStreamWithTimeout(stream_, 20));
  EXPECT_FALSE(mark.is_reached());
  gate.open();
  EXPECT_OK(aclrtSynchronizeStreamWithTimeout(stream_, -1));
  EXPECT_TRUE(mark.is_reached());
}

TEST_F(AclrtSynchronizeStreamWithTimeout, TimesOutWhileTheStreamWaitsForAnEvent) {
  streams::Hold hold(stream_);
  EXPECT_FAILS(kTimedOut, "EE1002", aclrtSynchronizeStreamWithTimeout(stream_, 1));
  hold.release();
  EXPECT_OK(aclrtSynchronizeStreamWithTimeout(stream_, -1));
}

TEST_F(AclrtSynchronizeStreamWithTimeout, TakesNullForTheDefaultStream) {
  Gate gate(nullptr);
  EXPECT_FAILS(kTimedOut, "EE1002", aclrtSynchronizeStreamWithTimeout(nullptr, 1));
  gate.open();
  EXPECT_OK(aclrtSynchronizeStreamWithTimeout(nullptr, -1));
}

TEST_F(AclrtSynchronizeStreamWithTimeout, TakesAStreamOfAnotherContext) {
  const OtherContext other;
  Gate gate(stream_);
  {
    const Inside inside(other);
    EXPECT_FAILS(kTimedOut, "EE1002", aclrtSynchronizeStreamWithTimeout(stream_, 1));
    EXPECT_EQ(static_cast<aclrtContext>(other), current_context());
    gate.open();
    EXPECT_OK(aclrtSynchronizeStreamWithTimeout(stream_, -1));
    EXPECT_EQ(static_cast<aclrtContext>(other), current_context());
  }
}

TEST_F(AclrtSynchronizeStreamWithTimeout, FetchesAFailureOnce) {
  BadCopy bad;
  EXPECT_OK(bad.queue(stream_));
  EXPECT_FAILS_WITH(kTaskFailed, aclrtSynchronizeStreamWithTimeout(stream_, -1));
  EXPECT_OK(aclrtSynchronizeStreamWithTimeout(stream_, -1));
}

TEST_F(AclrtSynchronizeStreamWithTimeout, KeepsAFailureWhenItTimesOut) {
  BadCopy bad;
  EXPECT_OK(bad.queue(stream_));
  streams::Hold hold(stream_);
  EXPECT_FAILS(kTimedOut, "EE1002", aclrtSynchronizeStreamWithTimeout(stream_, 1));
  hold.release();
  EXPECT_FAILS_WITH(kTaskFailed, aclrtSynchronizeStreamWithTimeout(stream_, -1));
}

TEST_F(AclrtSynchronizeStreamWithTimeout, RefusesTimesBelowMinusOneFirst) {
  streams::WrongHandles wrong;
  for (const int32_t timeout : {-2, -1000, INT32_MIN}) {
    EXPECT_FAILS(kBadValue, "EH0007", aclrtSynchronizeStreamWithTimeout(stream_, timeout));
    EXPECT_FAILS(kBadValue, "EH0007",
                 aclrtSynchronizeStreamWithTimeout(wrong.dead_stream(), timeout));
    on_new_thread([&] {
      EXPECT_FAILS(kBadValue, "EH0007", aclrtSynchronizeStreamWithTimeout(stream_, timeout));
    });
  }
}

TEST_F(AclrtSynchronizeStreamWithTimeout, RefusesHandlesThatAreNoStream) {
  streams::WrongHandles wrong;
  for (void* handle : wrong.for_stream()) {
    EXPECT_FAILS(kBadHandle, "EE1017", aclrtSynchronizeStreamWithTimeout(handle, 1));
    EXPECT_FAILS(kBadHandle, "EE1017", aclrtSynchronizeStreamWithTimeout(handle, 0));
  }
}

TEST_F(AclrtSynchronizeStreamWithTimeout, RefusesATimeOf0BeforeItLooksForAContext) {
  EXPECT_FAILS(kBadValue, "EE1003", aclrtSynchronizeStreamWithTimeout(stream_, 0));
  EXPECT_FAILS(kBadValue, "EE1003", aclrtSynchronizeStreamWithTimeout(nullptr, 0));
  on_new_thread(
      [&] { EXPECT_FAILS(kBadValue, "EE1003", aclrtSynchronizeStreamWithTimeout(stream_, 0)); });
}

TEST_F(AclrtSynchronizeStreamWithTimeout, NeedsAContext) {
  on_new_thread([&] {
    EXPECT_FAILS(kNoContext, "EE1018", aclrtSynchronizeStreamWithTimeout(stream_, 1));
    EXPECT_FAILS(kNoContext, "EE1018", aclrtSynchronizeStreamWithTimeout(nullptr, -1));
  });
}

TEST_F(AclrtSynchronizeStreamWithTimeout, SetsTheLastErrorAndSuccessKeepsIt) {
  streams::expect_last_error_rules(
      nullptr, [&] { return aclrtSynchronizeStreamWithTimeout(stream_, 0); },
      [&] { return aclrtSynchronizeStreamWithTimeout(stream_, 1); });
}

TEST_F(AclrtSynchronizeStreamWithTimeout, TimesOutOnManyThreadsAtOnce) {
  Gate gate(stream_);
  streams::on_threads(4, [&](int) {
    EXPECT_FAILS(kTimedOut, "EE1002", aclrtSynchronizeStreamWithTimeout(stream_, 1));
  });
  gate.open();
  streams::on_threads(4, [&](int) { EXPECT_OK(aclrtSynchronizeStreamWithTimeout(stream_, -1)); });
}

}  // namespace
}  // namespace conformance::aclrtSynchronizeStreamWithTimeout_test
