// SPDX-License-Identifier: Apache-2.0
// aclrtRecordNotify: a signal in stream order, kept until one wait consumes it.
#include "support/streams.h"

namespace conformance::aclrtRecordNotify_test {
namespace {

using streams::current_context;
using streams::Inside;
using streams::kBadArgument;
using streams::kBadHandle;
using streams::kNoContext;
using streams::kOtherContext;
using streams::Mark;
using streams::Notify;
using streams::OtherContext;
using streams::Stream;

constexpr aclError kTimedOut = 507046;

using AclrtRecordNotify = WithStream;

TEST_F(AclrtRecordNotify, EndsAWaitThatIsThereAlready) {
  const Stream waiting;
  const Notify notify;
  Mark mark;
  EXPECT_OK(aclrtWaitAndResetNotify(notify, waiting, 0));
  EXPECT_OK(mark.queue(waiting));
  EXPECT_EQ(kTimedOut, aclrtSynchronizeStreamWithTimeout(waiting, 1));
  EXPECT_FALSE(mark.is_reached());
  EXPECT_OK(aclrtRecordNotify(notify, stream_));
  EXPECT_OK(aclrtSynchronizeStream(waiting));
  EXPECT_TRUE(mark.is_reached());
}

TEST_F(AclrtRecordNotify, SignalsOnlyWhenTheStreamGetsThere) {
  const Stream waiting;
  const Notify notify;
  Mark first;
  Mark second;
  Gate gate(stream_);
  EXPECT_OK(first.queue(stream_));
  EXPECT_OK(aclrtRecordNotify(notify, stream_));
  EXPECT_OK(aclrtWaitAndResetNotify(notify, waiting, 0));
  EXPECT_OK(second.queue(waiting));
  EXPECT_EQ(kTimedOut, aclrtSynchronizeStreamWithTimeout(waiting, 1));
  EXPECT_FALSE(second.is_reached());
  gate.open();
  EXPECT_OK(aclrtSynchronizeStream(waiting));
  EXPECT_TRUE(first.is_reached());
  EXPECT_TRUE(second.is_reached());
}

TEST_F(AclrtRecordNotify, KeepsASignalThatNobodyWaitsForYet) {
  const Stream waiting;
  const Notify notify;
  EXPECT_OK(aclrtRecordNotify(notify, stream_));
  EXPECT_OK(aclrtSynchronizeStream(stream_));
  EXPECT_OK(aclrtWaitAndResetNotify(notify, waiting, 0));
  EXPECT_OK(aclrtSynchronizeStream(waiting));
}

TEST_F(AclrtRecordNotify, DoesNotCountASecondSignal) {
  const Stream waiting;
  const Notify notify;
  EXPECT_OK(aclrtRecordNotify(notify, stream_));
  EXPECT_OK(aclrtRecordNotify(notify, stream_));
  EXPECT_OK(aclrtSynchronizeStream(stream_));
  EXPECT_OK(aclrtWaitAndResetNotify(notify, waiting, 0));
  EXPECT_OK(aclrtSynchronizeStream(waiting));
  EXPECT_OK(aclrtWaitAndResetNotify(notify, waiting, 0));
  EXPECT_EQ(kTimedOut, aclrtSynchronizeStreamWithTimeout(waiting, 1));
  EXPECT_OK(aclrtRecordNotify(notify, stream_));
  EXPECT_OK(aclrtSynchronizeStream(waiting));
}

TEST_F(AclrtRecordNotify, KeepsNotifiesApart) {
  const Stream waiting;
  const Notify first;
  const Notify second;
  EXPECT_OK(aclrtWaitAndResetNotify(first, waiting, 0));
  EXPECT_OK(aclrtRecordNotify(second, stream_));
  EXPECT_OK(aclrtSynchronizeStream(stream_));
  EXPECT_EQ(kTimedOut, aclrtSynchronizeStreamWithTimeout(waiting, 1));
  EXPECT_OK(aclrtRecordNotify(first, stream_));
  EXPECT_OK(aclrtSynchronizeStream(waiting));
}

TEST_F(AclrtRecordNotify, TakesNullForTheDefaultStream) {
  const Notify notify;
  Gate gate(nullptr);
  EXPECT_OK(aclrtRecordNotify(notify, nullptr));
  EXPECT_OK(aclrtWaitAndResetNotify(notify, stream_, 0));
  EXPECT_EQ(kTimedOut, aclrtSynchronizeStreamWithTimeout(stream_, 1));
  gate.open();
  EXPECT_OK(aclrtSynchronizeStream(stream_));
}

TEST_F(AclrtRecordNotify, SignalsToAStreamOfAnotherContext) {
  OtherContext other;
  const Notify notify;
  Mark mark;
  {
    const Inside inside(other);
    EXPECT_OK(aclrtWaitAndResetNotify(notify, nullptr, 0));
    EXPECT_OK(mark.queue(nullptr));
  }
  EXPECT_FALSE(mark.is_reached());
  EXPECT_OK(aclrtRecordNotify(notify, stream_));
  const Inside inside(other);
  EXPECT_OK(aclrtSynchronizeStream(nullptr));
  EXPECT_TRUE(mark.is_reached());
}

TEST_F(AclrtRecordNotify, RefusesNullFirst) {
  streams::WrongHandles wrong;
  EXPECT_FAILS(kBadArgument, "EH0008", aclrtRecordNotify(nullptr, stream_));
  EXPECT_FAILS(kBadArgument, "EH0008", aclrtRecordNotify(nullptr, wrong.dead_stream()));
  on_new_thread([] { EXPECT_FAILS(kBadArgument, "EH0008", aclrtRecordNotify(nullptr, nullptr)); });
}

TEST_F(AclrtRecordNotify, RefusesHandlesOfAnotherTypeBeforeItLooksForAContext) {
  streams::WrongHandles wrong;
  const Notify notify;
  for (void* handle : wrong.for_notify())
    EXPECT_FAILS(kBadHandle, "EE1017", aclrtRecordNotify(handle, stream_));
  for (void* handle : wrong.for_stream())
    EXPECT_FAILS(kBadHandle, "EE1017", aclrtRecordNotify(notify, handle));
  on_new_thread([&] {
    EXPECT_FAILS(kBadHandle, "EE1017", aclrtRecordNotify(wrong.dead_notify(), stream_));
    EXPECT_FAILS(kBadHandle, "EE1017", aclrtRecordNotify(notify, wrong.dead_stream()));
  });
}

TEST_F(AclrtRecordNotify, NeedsTheContextOfTheStream) {
  const Notify notify;
  on_new_thread([&] {
    EXPECT_FAILS(kNoContext, "EE1018", aclrtRecordNotify(notify, stream_));
    EXPECT_FAILS(kNoContext, "EE1018", aclrtRecordNotify(notify, nullptr));
  });
  const OtherContext other;
  const Inside inside(other);
  EXPECT_FAILS(kOtherContext, "EE1010", aclrtRecordNotify(notify, stream_));
}

TEST_F(AclrtRecordNotify, SetsTheLastErrorOnlyForCodesOfTheRuntime) {
  streams::WrongHandles wrong;
  const Notify notify;
  streams::expect_last_error_rules([&] { return aclrtRecordNotify(nullptr, stream_); },
                                   [&] { return aclrtRecordNotify(wrong.dead_notify(), stream_); },
                                   [&] { return aclrtRecordNotify(notify, stream_); });
}

TEST_F(AclrtRecordNotify, PassesABallBetweenThreads) {
  const Notify there;
  const Notify back;
  constexpr int kPasses = 200;
  std::thread partner = streams::start_in(current_context(), [&] {
    const Stream own;
    for (int i = 0; i < kPasses; ++i) {
      ASSERT_OK(aclrtWaitAndResetNotify(there, own, 0));
      ASSERT_OK(aclrtRecordNotify(back, own));
    }
    ASSERT_OK(aclrtSynchronizeStream(own));
  });
  for (int i = 0; i < kPasses; ++i) {
    EXPECT_OK(aclrtRecordNotify(there, stream_));
    EXPECT_OK(aclrtWaitAndResetNotify(back, stream_, 0));
  }
  EXPECT_OK(aclrtSynchronizeStream(stream_));
  partner.join();
}

FERRY_PROCESS_TEST(AclrtRecordNotifyProcess, SignalsToAnotherDevice, "FERRY_DEVICES=cpu:2") {
  ASSERT_OK(aclrtSetDevice(1));
  const aclrtContext far = current_context();
  ASSERT_OK(aclrtSetDevice(0));
  {
    const Notify notify;
    Mark mark;
    const Stream waiting;
    EXPECT_OK(aclrtWaitAndResetNotify(notify, waiting, 0));
    EXPECT_OK(mark.queue(waiting));
    {
      const Inside inside(far);
      EXPECT_OK(aclrtRecordNotify(notify, nullptr));
    }
    EXPECT_OK(aclrtSynchronizeStream(waiting));
    EXPECT_TRUE(mark.is_reached());
  }
  EXPECT_OK(aclrtResetDevice(0));
  EXPECT_OK(aclrtResetDevice(1));
}

FERRY_PROCESS_TEST(AclrtRecordNotifyProcess, ReleasesAChainFromItsEndWithOneThread,
                   "FERRY_THREADS=1") {
  ASSERT_OK(aclrtSetDevice(0));
  {
    constexpr size_t kLength = 500;
    std::vector<Stream> chain(kLength);
    std::vector<Notify> notifies(kLength + 1);
    Mark mark;
    for (size_t i = 0; i < kLength; ++i) {
      ASSERT_OK(aclrtWaitAndResetNotify(notifies[i + 1], chain[i], 0));
      if (i == 0) {
        ASSERT_OK(mark.queue(chain[0]));
      }
      ASSERT_OK(aclrtRecordNotify(notifies[i], chain[i]));
    }
    EXPECT_FALSE(mark.is_reached());
    ASSERT_OK(aclrtRecordNotify(notifies[kLength], nullptr));
    EXPECT_OK(aclrtSynchronizeStream(chain[0]));
    EXPECT_TRUE(mark.is_reached());
  }
  EXPECT_OK(aclrtResetDevice(0));
}

}  // namespace
}  // namespace conformance::aclrtRecordNotify_test
