// SPDX-License-Identifier: Apache-2.0
// aclrtMemcpyAsync and its twin between two devices, with and without access to the peer.
#include "support/copies.h"

namespace conformance::copies::aclrtMemcpyAsync_peer_test {
namespace {

constexpr size_t kSize = 500;

aclError copy(const AsyncCopyForm& form, TwoDevices& devices, int32_t to, int32_t from,
              int32_t stream) {
  return form.call(devices.buffer(to).get(), kSize, devices.buffer(from).get(), kSize,
                   ACL_MEMCPY_DEVICE_TO_DEVICE, devices.stream(stream));
}

FERRY_PROCESS_TEST(AclrtMemcpyAsyncPeer, NeedsPeerAccessOnA2, "FERRY_DEVICES=cpu:2",
                   "FERRY_SOC=Ascend910B4") {
  TwoDevices devices(kSize);
  for (const AsyncCopyForm& form : kAsyncCopyForms) {
    EXPECT_TRUE(failed_as(form.name, ACL_ERROR_RT_PARAM_INVALID, "", copy(form, devices, 1, 0, 0)));
    EXPECT_TRUE(failed_as(form.name, ACL_ERROR_RT_PARAM_INVALID, "", copy(form, devices, 0, 1, 0)));
    // The stream's context is checked first.
    EXPECT_TRUE(
        failed_as(form.name, ACL_ERROR_RT_STREAM_CONTEXT, "EE1010", copy(form, devices, 0, 1, 1)));
  }
  EXPECT_OK(aclrtSynchronizeStream(devices.stream(0)));
  EXPECT_EQ(pattern(kSize, 1), devices.buffer(0).read());
  EXPECT_EQ(pattern(kSize, 2), devices.buffer(1).read());
}

FERRY_PROCESS_TEST(AclrtMemcpyAsyncPeer, IsQueuedOnceAccessIsOn, "FERRY_DEVICES=cpu:2",
                   "FERRY_SOC=Ascend910B4") {
  TwoDevices devices(kSize);
  ASSERT_OK(aclrtDeviceEnablePeerAccess(1, 0));
  for (const AsyncCopyForm& form : kAsyncCopyForms) {
    devices.buffer(0).write(pattern(kSize, 1));
    devices.buffer(1).write(pattern(kSize, 2));
    Gate gate(devices.stream(0));
    EXPECT_OK(copy(form, devices, 1, 0, 0));
    EXPECT_EQ(pattern(kSize, 2), devices.buffer(1).read());
    gate.open();
    EXPECT_OK(aclrtSynchronizeStream(devices.stream(0)));
    EXPECT_EQ(pattern(kSize, 1), devices.buffer(1).read());
    devices.buffer(1).write(pattern(kSize, 3));
    EXPECT_OK(copy(form, devices, 0, 1, 0));
    EXPECT_OK(aclrtSynchronizeStream(devices.stream(0)));
    EXPECT_EQ(pattern(kSize, 3), devices.buffer(0).read());
  }
}

FERRY_PROCESS_TEST(AclrtMemcpyAsyncPeer, NeedsNoPeerAccessOnA3, "FERRY_DEVICES=cpu:2",
                   "FERRY_SOC=Ascend910_9362") {
  TwoDevices devices(kSize);
  for (const AsyncCopyForm& form : kAsyncCopyForms) {
    devices.buffer(1).write(pattern(kSize, 2));
    EXPECT_OK(copy(form, devices, 1, 0, 0));
    EXPECT_OK(aclrtSynchronizeStream(devices.stream(0)));
    EXPECT_EQ(pattern(kSize, 1), devices.buffer(1).read());
  }
}

FERRY_PROCESS_TEST(AclrtMemcpyAsyncPeer, AStreamOfAnotherDeviceIsOneOfAnotherContext,
                   "FERRY_DEVICES=cpu:2", "FERRY_SOC=Ascend910_9362") {
  TwoDevices devices(kSize);
  PinnedBuffer pinned(kSize);
  for (const AsyncCopyForm& form : kAsyncCopyForms) {
    EXPECT_TRUE(failed_as(form.name, ACL_ERROR_RT_STREAM_CONTEXT, "EE1010",
                          form.call(devices.buffer(0).get(), kSize, pinned.get(), kSize,
                                    ACL_MEMCPY_HOST_TO_DEVICE, devices.stream(1))));
  }
}

}  // namespace
}  // namespace conformance::copies::aclrtMemcpyAsync_peer_test
