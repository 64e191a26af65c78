// SPDX-License-Identifier: Apache-2.0
// aclrtStreamStop: ends the task that runs; those behind it run after the next submission.
#include "support/built_models.h"
#include "support/values.h"

#include <atomic>

namespace conformance::aclrtStreamStop_test {
namespace {

using streams::current_context;
using streams::kAborted;
using streams::kBadHandle;
using streams::kBadValue;
using streams::kNoContext;
using streams::kOtherContext;
using streams::Mark;
using streams::start_in;
using streams::Stream;
using values::DeviceValue;

constexpr aclError kTimedOut = 507046;

using AclrtStreamStop = WithStream;

// Makes the stream wait for something that does not come.
void block(aclrtStream stream, const DeviceValue& value) {
  EXPECT_OK(aclrtValueWait(value.get(), 1, ACL_STREAM_WAIT_VALUE_EQ, stream));
}

TEST_F(AclrtStreamStop, EndsTheTaskThatRunsAndKeepsTheOthers) {
  const DeviceValue value;
  Mark kept;
  Mark next;
  block(stream_, value);
  EXPECT_OK(kept.queue(stream_));
  EXPECT_EQ(kTimedOut, aclrtSynchronizeStreamWithTimeout(stream_, 1));
  EXPECT_OK(aclrtStreamStop(stream_));
  EXPECT_FALSE(kept.is_reached());
  EXPECT_OK(next.queue(stream_));
  EXPECT_OK(aclrtSynchronizeStream(stream_));
  EXPECT_TRUE(kept.is_reached());
  EXPECT_TRUE(next.is_reached());
}

TEST_F(AclrtStreamStop, RunsNothingUntilTheNextSubmission) {
  const DeviceValue value;
  Mark kept;
  block(stream_, value);
  EXPECT_OK(kept.queue(stream_));
  EXPECT_EQ(kTimedOut, aclrtSynchronizeStreamWithTimeout(stream_, 1));
  EXPECT_OK(aclrtStreamStop(stream_));
  EXPECT_FAILS(kAborted, "EE1016", aclrtSynchronizeStream(stream_));
  aclrtStreamStatus status = ACL_STREAM_STATUS_COMPLETE;
  EXPECT_OK(aclrtStreamQuery(stream_, &status));
  EXPECT_EQ(ACL_STREAM_STATUS_NOT_READY, status);
  EXPECT_FALSE(kept.is_reached());
  EXPECT_OK(aclrtStreamAbort(stream_));
  EXPECT_OK(aclrtSynchronizeStream(stream_));
  EXPECT_FALSE(kept.is_reached());
}

TEST_F(AclrtStreamStop, EndsTheWaitsOfThreads) {
  const DeviceValue value;
  block(stream_, value);
  std::atomic<bool> has_begun{false};
  std::thread waiting = start_in(current_context(), [&] {
    has_begun.store(true);
    has_begun.notify_all();
    const aclError code = aclrtSynchronizeStream(stream_);
    EXPECT_TRUE(code == kAborted || code == ACL_SUCCESS) << code;
  });
  has_begun.wait(false);
  EXPECT_EQ(kTimedOut, aclrtSynchronizeStreamWithTimeout(stream_, 1));
  EXPECT_OK(aclrtStreamStop(stream_));
  waiting.join();
}

TEST_F(AclrtStreamStop, DoesNothingToAnIdleStream) {
  EXPECT_OK(aclrtStreamStop(stream_));
  EXPECT_OK(aclrtSynchronizeStream(stream_));
  Mark mark;
  EXPECT_OK(mark.queue(stream_));
  EXPECT_OK(aclrtSynchronizeStream(stream_));
  EXPECT_TRUE(mark.is_reached());
}

TEST_F(AclrtStreamStop, LetsAStoppedStreamBeDestroyed) {
  const DeviceValue value;
  Mark mark;
  Stream stream;
  block(stream, value);
  EXPECT_OK(mark.queue(stream));
  EXPECT_EQ(kTimedOut, aclrtSynchronizeStreamWithTimeout(stream, 1));
  EXPECT_OK(aclrtStreamStop(stream));
  EXPECT_OK(aclrtDestroyStream(stream.release()));
}

TEST_F(AclrtStreamStop, DoesNotWaitForAHostFunction) {
  Gate gate(stream_);
  gate.wait_until_reached();
  Mark mark;
  EXPECT_OK(mark.queue(stream_));
  EXPECT_OK(aclrtStreamStop(stream_));
  gate.open();
  EXPECT_OK(mark.queue(stream_));
  EXPECT_OK(aclrtSynchronizeStream(stream_));
  EXPECT_TRUE(mark.is_reached());
}

TEST_F(AclrtStreamStop, ChecksItsArgument) {
  EXPECT_FAILS(kBadValue, "EE1004", aclrtStreamStop(nullptr));
  const aclrtStream dead = Stream().release();
  EXPECT_OK(aclrtDestroyStream(dead));
  EXPECT_FAILS(kBadHandle, "EE1017", aclrtStreamStop(dead));
  on_new_thread([&] { EXPECT_FAILS(kNoContext, "EE1018", aclrtStreamStop(stream_)); });
  const streams::OtherContext other;
  const streams::Inside inside(other);
  EXPECT_FAILS(kOtherContext, "EE1010", aclrtStreamStop(stream_));
}

TEST_F(AclrtStreamStop, NotOnAStreamThatIsBoundToAModel) {
  const models::BoundStream bound;
  models::Building building;
  building.bind(bound);
  on_new_thread([&] { EXPECT_FAILS(kNoContext, "EE1018", aclrtStreamStop(bound)); });
  EXPECT_FAILS(507000, "EE1016", aclrtStreamStop(bound));
  building.finish(bound);
  EXPECT_FAILS(507000, "EE1016", aclrtStreamStop(bound));
}

}  // namespace
}  // namespace conformance::aclrtStreamStop_test
