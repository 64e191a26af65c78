// SPDX-License-Identifier: Apache-2.0
// aclrtSynchronizeDevice: waits for all work of a device.
#include "support/devices.h"

namespace conformance::aclrtSynchronizeDevice_test {
namespace {

using AclrtSynchronizeDevice = WithStream;

TEST_F(AclrtSynchronizeDevice, ReturnsAtOnceWhenNothingIsQueued) {
  EXPECT_OK(aclrtSynchronizeDevice());
  EXPECT_EQ(ACL_SUCCESS, last_error());
}

TEST_F(AclrtSynchronizeDevice, WaitsForEveryStream) {
  DeviceBuffer first(256), second(256);
  PinnedBuffer source(256);
  source.fill(pattern(256));
  Gate gate(stream_);
  EXPECT_OK(
      aclrtMemcpyAsync(first.get(), 256, source.get(), 256, ACL_MEMCPY_HOST_TO_DEVICE, stream_));
  EXPECT_OK(
      aclrtMemcpyAsync(second.get(), 256, source.get(), 256, ACL_MEMCPY_HOST_TO_DEVICE, nullptr));
  Caller waiter(current_context(), [] { return aclrtSynchronizeDevice(); });
  EXPECT_FALSE(waiter.has_returned());
  gate.open();
  EXPECT_EQ(ACL_SUCCESS, waiter.join()) << waiter.text();
  EXPECT_EQ(pattern(256), first.read());
  EXPECT_EQ(pattern(256), second.read());
}

TEST_F(AclrtSynchronizeDevice, WaitsForOtherContextsOfTheDevice) {
  const aclrtContext mine = current_context();
  aclrtContext other = nullptr;
  ASSERT_OK(aclrtCreateContext(&other, 0));
  {
    Gate gate(nullptr);
    Caller waiter(mine, [] { return aclrtSynchronizeDevice(); });
    EXPECT_FALSE(waiter.has_returned());
    gate.open();
    EXPECT_EQ(ACL_SUCCESS, waiter.join()) << waiter.text();
  }
  EXPECT_OK(aclrtDestroyContext(other));
  EXPECT_OK(aclrtSetCurrentContext(mine));
}

TEST_F(AclrtSynchronizeDevice, FailsWithoutAContext) {
  on_new_thread([] {
    EXPECT_FAILS(ACL_ERROR_RT_CONTEXT_NULL, "EE1018", aclrtSynchronizeDevice());
    EXPECT_EQ(ACL_ERROR_RT_CONTEXT_NULL, last_error());
  });
}

TEST_F(AclrtSynchronizeDevice, TellsTheFailureOfATaskAndLeavesItToTheStream) {
  BadCopy copy;
  copy.queue(stream_);
  for (int i = 0; i < 2; ++i) {
    EXPECT_EQ(ACL_ERROR_RT_TS_ERROR, aclrtSynchronizeDevice());
    EXPECT_NE(std::string::npos, recent_text().find("aclrtMemcpyAsync"));
    EXPECT_EQ(ACL_ERROR_RT_TS_ERROR, last_error());
  }
  EXPECT_FAILS_WITH(ACL_ERROR_RT_TS_ERROR, aclrtSynchronizeStream(stream_));
  EXPECT_OK(aclrtSynchronizeStream(stream_));
  EXPECT_OK(aclrtSynchronizeDevice());
}

TEST_F(AclrtSynchronizeDevice, LeavesTheFailureOfAnotherThreadsStreamToThatThread) {
  const aclrtContext context = current_context();
  BadCopy copy;
  copy.queue(stream_);
  EXPECT_EQ(ACL_ERROR_RT_TS_ERROR, Caller(context, [] { return aclrtSynchronizeDevice(); }).join());
  EXPECT_FAILS_WITH(ACL_ERROR_RT_TS_ERROR, aclrtSynchronizeStream(stream_));
  EXPECT_EQ(ACL_SUCCESS, Caller(context, [] { return aclrtSynchronizeDevice(); }).join());
}

// The waiting thread may notice that the stream's work is done only after the stream has gone.
TEST_F(AclrtSynchronizeDevice, SucceedsWhileAnIdleStreamIsDestroyedByForce) {
  const aclrtContext context = current_context();
  for (int round = 0; round < 200; ++round) {
    aclrtStream stream = nullptr;
    ASSERT_OK(aclrtCreateStream(&stream));
    Gate gate(stream);
    Caller waiter(context, [] { return aclrtSynchronizeDevice(); });
    waiter.wait_until_asleep();
    gate.open();
    EXPECT_OK(aclrtSynchronizeStream(stream));
    EXPECT_OK(aclrtDestroyStreamForce(stream));
    ASSERT_EQ(ACL_SUCCESS, waiter.join()) << waiter.text();
  }
}

TEST_F(AclrtSynchronizeDevice, ReturnsToAllWhoWait) {
  const aclrtContext context = current_context();
  Gate gate(stream_);
  {
    Caller first(context, [] { return aclrtSynchronizeDevice(); });
    Caller second(context, [] { return aclrtSynchronizeDevice(); });
    Caller third(context, [] { return aclrtSynchronizeDevice(); });
    EXPECT_FALSE(first.has_returned() || second.has_returned() || third.has_returned());
    gate.open();
    EXPECT_EQ(ACL_SUCCESS, first.join());
    EXPECT_EQ(ACL_SUCCESS, second.join());
    EXPECT_EQ(ACL_SUCCESS, third.join());
  }
}

FERRY_PROCESS_TEST(AclrtSynchronizeDeviceProcess, DoesNotWaitForOtherDevices,
                   "FERRY_DEVICES=cpu:2") {
  ASSERT_OK(aclrtSetDevice(1));
  Gate gate(nullptr);
  ASSERT_OK(aclrtSetDevice(0));
  EXPECT_OK(aclrtSynchronizeDevice());  // would hang if it waited for the gate
  gate.open();
  ASSERT_OK(aclrtSetDevice(1));
  EXPECT_OK(aclrtSynchronizeDevice());
}

}  // namespace
}  // namespace conformance::aclrtSynchronizeDevice_test
