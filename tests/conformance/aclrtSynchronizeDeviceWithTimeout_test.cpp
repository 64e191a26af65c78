// SPDX-License-Identifier: Apache-2.0
// aclrtSynchronizeDeviceWithTimeout: waits for a device with a time limit.
#include "support/devices.h"

namespace conformance::aclrtSynchronizeDeviceWithTimeout_test {
namespace {

using AclrtSynchronizeDeviceWithTimeout = WithStream;

TEST_F(AclrtSynchronizeDeviceWithTimeout, ReturnsWhenTheWorkIsDone) {
  DeviceBuffer device(256);
  PinnedBuffer source(256);
  source.fill(pattern(256));
  for (const int32_t timeout : {-1, INT32_MAX}) {
    EXPECT_OK(
        aclrtMemcpyAsync(device.get(), 256, source.get(), 256, ACL_MEMCPY_HOST_TO_DEVICE, stream_));
    EXPECT_OK(aclrtSynchronizeDeviceWithTimeout(timeout));
    EXPECT_EQ(pattern(256), device.read());
  }
}

TEST_F(AclrtSynchronizeDeviceWithTimeout, RefusesTimesThatAreNone) {
  for (const int32_t timeout : {0, -2, INT32_MIN}) {
    clear_errors();
    EXPECT_FAILS_WITH(ACL_ERROR_RT_PARAM_INVALID, aclrtSynchronizeDeviceWithTimeout(timeout));
    EXPECT_EQ(ACL_ERROR_RT_PARAM_INVALID, last_error()) << timeout;
  }
}

TEST_F(AclrtSynchronizeDeviceWithTimeout, LooksAtTheTimeBeforeTheContext) {
  on_new_thread([] {
    EXPECT_FAILS_WITH(ACL_ERROR_RT_PARAM_INVALID, aclrtSynchronizeDeviceWithTimeout(0));
    EXPECT_FAILS_WITH(ACL_ERROR_RT_PARAM_INVALID, aclrtSynchronizeDeviceWithTimeout(-2));
    EXPECT_FAILS(ACL_ERROR_RT_CONTEXT_NULL, "EE1018", aclrtSynchronizeDeviceWithTimeout(1));
    EXPECT_FAILS(ACL_ERROR_RT_CONTEXT_NULL, "EE1018", aclrtSynchronizeDeviceWithTimeout(-1));
  });
}

TEST_F(AclrtSynchronizeDeviceWithTimeout, GivesUpWhenTheTimeIsOverAndTheWorkGoesOn) {
  DeviceBuffer device(256);
  PinnedBuffer source(256);
  source.fill(pattern(256));
  Gate gate(stream_);
  EXPECT_OK(
      aclrtMemcpyAsync(device.get(), 256, source.get(), 256, ACL_MEMCPY_HOST_TO_DEVICE, stream_));
  for (const int32_t timeout : {1, 5}) {
    EXPECT_FAILS_WITH(ACL_ERROR_RT_STREAM_SYNC_TIMEOUT, aclrtSynchronizeDeviceWithTimeout(timeout));
  }
  EXPECT_EQ(ACL_ERROR_RT_STREAM_SYNC_TIMEOUT, last_error());
  gate.open();
  EXPECT_OK(aclrtSynchronizeDeviceWithTimeout(-1));
  EXPECT_EQ(pattern(256), device.read());
}

TEST_F(AclrtSynchronizeDeviceWithTimeout, TellsTheFailureOfATaskAndLeavesItToTheStream) {
  BadCopy copy;
  copy.queue(nullptr);
  EXPECT_EQ(ACL_ERROR_RT_TS_ERROR, aclrtSynchronizeDeviceWithTimeout(-1));
  EXPECT_EQ(ACL_ERROR_RT_TS_ERROR, aclrtSynchronizeDeviceWithTimeout(1000));
  EXPECT_FAILS_WITH(ACL_ERROR_RT_TS_ERROR, aclrtSynchronizeStream(nullptr));
  EXPECT_OK(aclrtSynchronizeDeviceWithTimeout(-1));
}

}  // namespace
}  // namespace conformance::aclrtSynchronizeDeviceWithTimeout_test
