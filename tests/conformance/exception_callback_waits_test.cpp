// SPDX-License-Identifier: Apache-2.0
// How synchronisation and the exception callback wait for each other: the callback comes first, but
// never beyond the time limit of a call.
#include "support/failure_reports.h"
#include "support/latch.h"
#include "support/streams.h"

namespace conformance::exception_callback_waits_test {
namespace {

using streams::Inside;
using streams::kTaskFailed;
using streams::Mark;
using streams::OtherContext;
using streams::Stream;

constexpr aclError kTimedOut = 507046;

// An exception callback that does not return before it is let go.
class SlowCallback {
 public:
  SlowCallback() {
    shared() = this;
    EXPECT_OK(aclrtSetExceptionInfoCallback([](aclrtExceptionInfo*) {
      shared()->begun_.open();
      shared()->end_.wait();
      shared()->has_ended_ = true;
    }));
  }
  ~SlowCallback() {
    let_go();
    EXPECT_OK(aclrtSetExceptionInfoCallback(nullptr));
  }
  SlowCallback(const SlowCallback&) = delete;
  SlowCallback& operator=(const SlowCallback&) = delete;

  void wait_until_begun() { begun_.wait(); }
  void let_go() { end_.open(); }
  bool has_ended() const { return has_ended_; }

 private:
  static SlowCallback*& shared() {
    static SlowCallback* current = nullptr;
    return current;
  }
  Latch begun_;
  Latch end_;
  std::atomic<bool> has_ended_{false};
};

using ExceptionCallbackWaits = WithStream;

TEST_F(ExceptionCallbackWaits, ASynchronisationReturnsWithinItsLimitAndKeepsTheFailure) {
  BadCopy copy;
  SlowCallback callback;
  copy.queue(stream_);
  EXPECT_FAILS(kTimedOut, "EE1002", aclrtSynchronizeStreamWithTimeout(stream_, 50));
  EXPECT_FAILS(kTimedOut, "EE1002", aclrtSynchronizeStreamWithTimeout(stream_, 1));
  EXPECT_FALSE(callback.has_ended());
  callback.let_go();
  EXPECT_FAILS_WITH(kTaskFailed, aclrtSynchronizeStreamWithTimeout(stream_, -1));
  EXPECT_TRUE(callback.has_ended());
  EXPECT_OK(aclrtSynchronizeStream(stream_));
}

TEST_F(ExceptionCallbackWaits, ADeviceWideWaitReturnsWithinItsLimit) {
  BadCopy copy;
  SlowCallback callback;
  copy.queue(stream_);
  EXPECT_FAILS(kTimedOut, "EE1002", aclrtSynchronizeDeviceWithTimeout(50));
  EXPECT_FALSE(callback.has_ended());
  callback.let_go();
  EXPECT_FAILS_WITH(kTaskFailed, aclrtSynchronizeDeviceWithTimeout(-1));
  EXPECT_FAILS_WITH(kTaskFailed, aclrtSynchronizeStream(stream_));
}

TEST_F(ExceptionCallbackWaits, AStoppedContextReturnsWithinTheLimitToo) {
  BadCopy copy;
  SlowCallback callback;
  const OtherContext other;
  {
    const Inside inside(other);
    const Stream stream;
    EXPECT_OK(aclrtSetStreamFailureMode(stream, ACL_STOP_ON_FAILURE));
    copy.queue(stream);
    EXPECT_FAILS(kTimedOut, "EE1002", aclrtSynchronizeStreamWithTimeout(stream, 50));
    EXPECT_FALSE(callback.has_ended());
    callback.let_go();
    EXPECT_FAILS_WITH(kTaskFailed, aclrtSynchronizeStreamWithTimeout(stream, -1));
    EXPECT_TRUE(callback.has_ended());
  }
}

TEST_F(ExceptionCallbackWaits, StreamsWithoutAFailureDoNotWaitForIt) {
  BadCopy copy;
  Mark mark;
  SlowCallback callback;
  copy.queue(stream_);
  EXPECT_FAILS(kTimedOut, "EE1002", aclrtSynchronizeStreamWithTimeout(stream_, 1));
  callback.wait_until_begun();
  const Stream other;
  EXPECT_OK(mark.queue(other));
  EXPECT_OK(aclrtSynchronizeStream(other));
  EXPECT_TRUE(mark.is_reached());
  EXPECT_FALSE(callback.has_ended());
  callback.let_go();
  EXPECT_FAILS_WITH(kTaskFailed, aclrtSynchronizeStream(stream_));
}

// Work behind a failure in stop mode is dropped even if a callback never ends: threads that wait
// for it must return.
TEST_F(ExceptionCallbackWaits, ACallbackThatRunsDoesNotKeepAStoppedContextFromDroppingItsWork) {
  BadCopy copy;
  SlowCallback callback;
  copy.queue(stream_);
  EXPECT_FAILS(kTimedOut, "EE1002", aclrtSynchronizeStreamWithTimeout(stream_, 1));
  callback.wait_until_begun();
  const OtherContext other;
  {
    const Inside inside(other);
    const Stream failing;
    Stream waiting;
    const streams::Event never = streams::Event::with_flag();
    EXPECT_OK(aclrtSetStreamFailureMode(failing, ACL_STOP_ON_FAILURE));
    EXPECT_OK(aclrtStreamWaitEvent(waiting, never));
    copy.queue(failing);
    EXPECT_OK(aclrtDestroyStream(waiting.release()));  // waits until its work has gone
    EXPECT_FALSE(callback.has_ended());
    callback.let_go();
    EXPECT_FAILS_WITH(kTaskFailed, aclrtSynchronizeStream(failing));
  }
  EXPECT_FAILS_WITH(kTaskFailed, aclrtSynchronizeStream(stream_));
}

TEST_F(ExceptionCallbackWaits, AStoppedContextIsReportedBeforeItsSynchronisationReturns) {
  const FailureReports reports(aclrtGetErrorCodeFromExceptionInfo);
  BadCopy copy;
  for (size_t failures = 1; failures <= 20; ++failures) {
    const OtherContext other;
    const Inside inside(other);
    const Stream stream;
    EXPECT_OK(aclrtSetStreamFailureMode(stream, ACL_STOP_ON_FAILURE));
    copy.queue(stream);
    EXPECT_FAILS_WITH(kTaskFailed, aclrtSynchronizeStream(stream));
    ASSERT_EQ(failures, FailureReports::all().size());
  }
}

// What a callback that synchronises the failed stream gets.
struct Inner {
  aclrtContext context = nullptr;
  aclrtStream stream = nullptr;
  std::atomic<aclError> code{-1};
} g_inner;

void synchronize_inside() {
  EXPECT_OK(aclrtSetExceptionInfoCallback([](aclrtExceptionInfo*) {
    EXPECT_OK(aclrtSetCurrentContext(g_inner.context));
    g_inner.code = aclrtSynchronizeStream(g_inner.stream);
  }));
}

TEST_F(ExceptionCallbackWaits, ACallbackMaySynchroniseTheStreamThatFailed) {
  g_inner.context = conformance::current_context();
  g_inner.stream = stream_;
  g_inner.code = -1;
  BadCopy copy;
  synchronize_inside();
  copy.queue(stream_);
  // One of the two synchronisations gets the failure, and neither waits for the other for ever.
  const aclError outer = aclrtSynchronizeStream(stream_);
  EXPECT_OK(aclrtSetExceptionInfoCallback(nullptr));
  while (g_inner.code == -1)
    std::this_thread::yield();
  EXPECT_EQ(kTaskFailed, outer + g_inner.code) << outer << " and " << g_inner.code;
}

TEST_F(ExceptionCallbackWaits, ACallbackMaySynchroniseAStoppedContext) {
  const OtherContext other;
  const Inside inside(other);
  const Stream stream;
  g_inner.context = other;
  g_inner.stream = stream;
  g_inner.code = -1;
  BadCopy copy;
  EXPECT_OK(aclrtSetStreamFailureMode(stream, ACL_STOP_ON_FAILURE));
  synchronize_inside();
  copy.queue(stream);
  EXPECT_FAILS_WITH(kTaskFailed, aclrtSynchronizeStream(stream));
  EXPECT_OK(aclrtSetExceptionInfoCallback(nullptr));
  EXPECT_EQ(kTaskFailed, g_inner.code);
}

FERRY_PROCESS_TEST(ExceptionCallbackWaitsProcess, ACallbackThatNeverReturnsKeepsNoLimitedWait) {
  ASSERT_OK(aclrtSetDevice(0));
  EXPECT_OK(aclrtSetExceptionInfoCallback([](aclrtExceptionInfo*) {
    for (;;)
      pause();
  }));
  BadCopy copy;
  Stream stream;
  copy.queue(stream);
  for (int i = 0; i < 3; ++i)
    EXPECT_FAILS(kTimedOut, "EE1002", aclrtSynchronizeStreamWithTimeout(stream, 20));
  EXPECT_FAILS(kTimedOut, "EE1002", aclrtSynchronizeDeviceWithTimeout(20));
  EXPECT_OK(aclrtDestroyStream(stream.release()));
  EXPECT_OK(aclrtSynchronizeDevice());
}

}  // namespace
}  // namespace conformance::exception_callback_waits_test
