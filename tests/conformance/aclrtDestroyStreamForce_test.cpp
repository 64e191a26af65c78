// SPDX-License-Identifier: Apache-2.0
// aclrtDestroyStreamForce: drops work that has not begun, then destroys the stream.
#include "support/streams.h"

namespace conformance::aclrtDestroyStreamForce_test {
namespace {

using streams::current_context;
using streams::Event;
using streams::Hold;
using streams::Inside;
using streams::kAborted;
using streams::kBadArgument;
using streams::kBadHandle;
using streams::kBadValue;
using streams::kNoContext;
using streams::kOtherContext;
using streams::Mark;
using streams::OtherContext;
using streams::Stream;

using AclrtDestroyStreamForce = WithDevice;

TEST_F(AclrtDestroyStreamForce, DestroysAnIdleStream) {
  Stream stream;
  const aclrtStream handle = stream.release();
  EXPECT_OK(aclrtDestroyStreamForce(handle));
  EXPECT_FAILS(kBadHandle, "EE1017", aclrtDestroyStreamForce(handle));
  EXPECT_FAILS(kBadHandle, "EE1017", aclrtSynchronizeStream(handle));
}

TEST_F(AclrtDestroyStreamForce, ThrowsAwayWorkThatHasNotBegun) {
  Stream stream;
  Mark before;
  Mark after;
  EXPECT_OK(before.queue(stream));
  EXPECT_OK(aclrtSynchronizeStream(stream));
  {
    Hold hold(stream);
    EXPECT_OK(after.queue(stream));
    EXPECT_OK(aclrtDestroyStreamForce(stream.release()));
    hold.release();
  }
  EXPECT_OK(aclrtSynchronizeDevice());
  EXPECT_TRUE(before.is_reached());
  EXPECT_FALSE(after.is_reached());
}

TEST_F(AclrtDestroyStreamForce, LetsTheTaskThatRunsEnd) {
  Stream stream;
  Mark mark;
  Gate gate(stream);
  const Hold hold(stream);
  EXPECT_OK(mark.queue(stream));
  gate.wait_until_reached();
  std::thread destroyer = streams::start_in(current_context(), [handle = stream.release()] {
    EXPECT_OK(aclrtDestroyStreamForce(handle));
  });
  gate.open();
  destroyer.join();
  EXPECT_FALSE(mark.is_reached());
}

TEST_F(AclrtDestroyStreamForce, EndsWaitingOnTheHost) {
  for (int i = 0; i < 20; ++i) {
    Stream stream;
    const Hold hold(stream);
    const aclrtStream handle = stream.release();
    aclError code = ACL_SUCCESS;
    std::thread waiter =
        streams::start_in(current_context(), [&] { code = aclrtSynchronizeStream(handle); });
    EXPECT_OK(aclrtDestroyStreamForce(handle));
    waiter.join();
    // The waiter came either before the stream was destroyed, or after.
    EXPECT_TRUE(code == kAborted || code == kBadHandle) << code;
  }
}

TEST_F(AclrtDestroyStreamForce, EndsTheWaitOfAnotherStreamForARecordThatIsGone) {
  Stream gone;
  const Stream waiting;
  const Event event = Event::ex();
  Mark mark;
  const Hold hold(gone);
  EXPECT_OK(aclrtRecordEvent(event, gone));
  EXPECT_OK(aclrtStreamWaitEvent(waiting, event));
  EXPECT_OK(mark.queue(waiting));
  EXPECT_OK(aclrtDestroyStreamForce(gone.release()));
  EXPECT_OK(aclrtSynchronizeStream(waiting));
  EXPECT_TRUE(mark.is_reached());
}

TEST_F(AclrtDestroyStreamForce, GivesTheStreamBack) {
  uint32_t before = 0;
  EXPECT_OK(aclrtGetStreamAvailableNum(&before));
  Stream stream;
  const Event event = Event::with_flag();
  EXPECT_OK(aclrtStreamWaitEvent(stream, event));
  EXPECT_OK(aclrtDestroyStreamForce(stream.release()));
  uint32_t after = 0;
  EXPECT_OK(aclrtGetStreamAvailableNum(&after));
  EXPECT_EQ(before, after);
}

TEST_F(AclrtDestroyStreamForce, RefusesNullEvenThoughThereIsADefaultStream) {
  EXPECT_FAILS(kBadArgument, "EH0008", aclrtDestroyStreamForce(nullptr));
  on_new_thread([] { EXPECT_FAILS(kBadArgument, "EH0008", aclrtDestroyStreamForce(nullptr)); });
}

TEST_F(AclrtDestroyStreamForce, RefusesTheDefaultStream) {
  aclrtStream stream = nullptr;
  ASSERT_OK(aclrtCtxGetCurrentDefaultStream(&stream));
  EXPECT_FAILS_WITH(kBadValue, aclrtDestroyStreamForce(stream));
  EXPECT_OK(aclrtSynchronizeStream(stream));
}

TEST_F(AclrtDestroyStreamForce, RefusesHandlesThatAreNoStreamBeforeItLooksForAContext) {
  streams::WrongHandles wrong;
  for (void* handle : wrong.for_stream())
    EXPECT_FAILS(kBadHandle, "EE1017", aclrtDestroyStreamForce(handle));
  on_new_thread(
      [&] { EXPECT_FAILS(kBadHandle, "EE1017", aclrtDestroyStreamForce(wrong.dead_stream())); });
}

TEST_F(AclrtDestroyStreamForce, NeedsTheContextOfTheStream) {
  const Stream stream;
  on_new_thread([&] { EXPECT_FAILS(kNoContext, "EE1018", aclrtDestroyStreamForce(stream)); });
  const OtherContext other;
  const Inside inside(other);
  EXPECT_FAILS(kOtherContext, "EE1010", aclrtDestroyStreamForce(stream));
  EXPECT_OK(aclrtSynchronizeStream(stream));
}

TEST_F(AclrtDestroyStreamForce, SetsTheLastErrorOnlyForCodesOfTheRuntime) {
  streams::WrongHandles wrong;
  Stream stream;
  streams::expect_last_error_rules([] { return aclrtDestroyStreamForce(nullptr); },
                                   [&] { return aclrtDestroyStreamForce(wrong.dead_stream()); },
                                   [&] { return aclrtDestroyStreamForce(stream.release()); });
}

TEST_F(AclrtDestroyStreamForce, DestroysBusyStreamsOnManyThreadsAtOnce) {
  streams::on_threads(4, [](int) {
    Mark mark;
    for (int i = 0; i < 25; ++i) {
      Stream stream;
      for (int copy = 0; copy < 10; ++copy)
        EXPECT_OK(mark.queue(stream));
      EXPECT_OK(aclrtDestroyStreamForce(stream.release()));
    }
  });
}

}  // namespace
}  // namespace conformance::aclrtDestroyStreamForce_test
