// SPDX-License-Identifier: Apache-2.0
// aclrtGetThreadLastTaskId: the number of the latest task of a thread.
#include "support/streams.h"

namespace conformance::aclrtGetThreadLastTaskId_test {
namespace {

using AclrtGetThreadLastTaskId = WithStream;

uint32_t last_task() {
  uint32_t task = 0;
  EXPECT_OK(aclrtGetThreadLastTaskId(&task));
  return task;
}

TEST_F(AclrtGetThreadLastTaskId, CountsTheTasksOfAStream) {
  DeviceBuffer memory(64);
  for (uint32_t i = 0; i < 5; ++i) {
    EXPECT_OK(aclrtMemsetAsync(memory.get(), 64, 0, 64, stream_));
    EXPECT_EQ(i, last_task());
  }
  EXPECT_OK(aclrtSynchronizeStream(stream_));
  const streams::Stream other;
  EXPECT_OK(aclrtMemsetAsync(memory.get(), 64, 0, 64, other));
  EXPECT_EQ(0u, last_task());
  EXPECT_OK(aclrtSynchronizeStream(other));
}

TEST_F(AclrtGetThreadLastTaskId, IgnoresDefaultStreamsAndRefusedTasks) {
  DeviceBuffer memory(64);
  EXPECT_OK(aclrtMemsetAsync(memory.get(), 64, 0, 64, stream_));
  EXPECT_OK(aclrtMemsetAsync(memory.get(), 64, 0, 64, stream_));
  EXPECT_OK(aclrtSynchronizeStream(stream_));
  for (int i = 0; i < 4; ++i)
    EXPECT_OK(aclrtMemsetAsync(memory.get(), 64, 0, 64, nullptr));
  EXPECT_OK(aclrtSynchronizeStream(nullptr));
  EXPECT_FAILS_WITH(100000, aclrtMemsetAsync(nullptr, 64, 0, 64, stream_));
  EXPECT_EQ(1u, last_task());
}

TEST_F(AclrtGetThreadLastTaskId, IsTheTaskOfAFailureReport) {
  streams::BadCopy bad;
  static uint32_t reported;
  reported = UINT32_MAX;
  EXPECT_OK(aclrtSetExceptionInfoCallback(
      [](aclrtExceptionInfo* info) { reported = aclrtGetTaskIdFromExceptionInfo(info); }));
  EXPECT_OK(bad.queue(stream_));
  EXPECT_EQ(507001, aclrtSynchronizeStream(stream_));
  EXPECT_EQ(reported, last_task());
  EXPECT_OK(aclrtSetExceptionInfoCallback(nullptr));
  clear_errors();
}

TEST_F(AclrtGetThreadLastTaskId, BelongsToTheThread) {
  DeviceBuffer memory(64);
  EXPECT_OK(aclrtMemsetAsync(memory.get(), 64, 0, 64, stream_));
  on_new_thread([] { EXPECT_EQ(UINT32_MAX, last_task()); });
  EXPECT_OK(aclrtSynchronizeStream(stream_));
}

TEST_F(AclrtGetThreadLastTaskId, RefusesNull) {
  EXPECT_FAILS(100000, "EH0008", aclrtGetThreadLastTaskId(nullptr));
}

}  // namespace
}  // namespace conformance::aclrtGetThreadLastTaskId_test
