// SPDX-License-Identifier: Apache-2.0
// aclrtMemcpy between two devices, with and without access to the peer.
#include "support/copies.h"

namespace conformance::copies::aclrtMemcpy_peer_test {
namespace {

constexpr size_t kSize = 500;

aclError copy(TwoDevices& devices, int32_t to, int32_t from) {
  return aclrtMemcpy(devices.buffer(to).get(), kSize, devices.buffer(from).get(), kSize,
                     ACL_MEMCPY_DEVICE_TO_DEVICE);
}

FERRY_PROCESS_TEST(AclrtMemcpyPeer, NeedsPeerAccessOnA2, "FERRY_DEVICES=cpu:2",
                   "FERRY_SOC=Ascend910B1") {
  TwoDevices devices(kSize);
  EXPECT_TRUE(failed_as("aclrtMemcpy", ACL_ERROR_RT_PARAM_INVALID, "", copy(devices, 1, 0)));
  EXPECT_TRUE(failed_as("aclrtMemcpy", ACL_ERROR_RT_PARAM_INVALID, "", copy(devices, 0, 1)));
  EXPECT_EQ(pattern(kSize, 1), devices.buffer(0).read());
  EXPECT_EQ(pattern(kSize, 2), devices.buffer(1).read());
}

FERRY_PROCESS_TEST(AclrtMemcpyPeer, GoesBothWaysOnceAccessIsOn, "FERRY_DEVICES=cpu:2",
                   "FERRY_SOC=Ascend910B1") {
  TwoDevices devices(kSize);
  ASSERT_OK(aclrtDeviceEnablePeerAccess(1, 0));
  EXPECT_OK(copy(devices, 1, 0));
  EXPECT_EQ(pattern(kSize, 1), devices.buffer(1).read());
  devices.buffer(1).write(pattern(kSize, 3));
  EXPECT_OK(copy(devices, 0, 1));
  EXPECT_EQ(pattern(kSize, 3), devices.buffer(0).read());
}

FERRY_PROCESS_TEST(AclrtMemcpyPeer, AccessHoldsForTheDeviceThatEnabledIt, "FERRY_DEVICES=cpu:2",
                   "FERRY_SOC=Ascend910B1") {
  TwoDevices devices(kSize);
  ASSERT_OK(aclrtDeviceEnablePeerAccess(1, 0));
  devices.use(1);
  EXPECT_TRUE(failed_as("aclrtMemcpy", ACL_ERROR_RT_PARAM_INVALID, "", copy(devices, 1, 0)));
  devices.use(0);
  ASSERT_OK(aclrtDeviceDisablePeerAccess(1));
  EXPECT_TRUE(failed_as("aclrtMemcpy", ACL_ERROR_RT_PARAM_INVALID, "", copy(devices, 1, 0)));
}

FERRY_PROCESS_TEST(AclrtMemcpyPeer, NeedsNoPeerAccessOnA3, "FERRY_DEVICES=cpu:2",
                   "FERRY_SOC=Ascend910_9391") {
  TwoDevices devices(kSize);
  EXPECT_OK(copy(devices, 1, 0));
  EXPECT_EQ(pattern(kSize, 1), devices.buffer(1).read());
}

FERRY_PROCESS_TEST(AclrtMemcpyPeer, OneDeviceAloneNeedsNoPeerAccess, "FERRY_DEVICES=cpu:2",
                   "FERRY_SOC=Ascend910B1") {
  TwoDevices devices(kSize);
  devices.use(1);
  const DeviceBuffer beside(kSize);
  devices.use(0);
  // Host to device 1, and inside device 1, in a context of device 0.
  devices.buffer(1).write(pattern(kSize, 9));
  EXPECT_OK(aclrtMemcpy(beside.get(), kSize, devices.buffer(1).get(), kSize,
                        ACL_MEMCPY_DEVICE_TO_DEVICE));
  EXPECT_EQ(pattern(kSize, 9), beside.read());
}

FERRY_PROCESS_TEST(AclrtMemcpyPeer, RangesAreCheckedOnBothDevices, "FERRY_DEVICES=cpu:2",
                   "FERRY_SOC=Ascend910_9391") {
  TwoDevices devices(kSize);
  const size_t size = padded(kSize) + 1;
  const DeviceBuffer large(2 * kSize);
  EXPECT_FAILS_WITH(
      ACL_ERROR_RT_PARAM_INVALID,
      aclrtMemcpy(devices.buffer(1).get(), size, large.get(), size, ACL_MEMCPY_DEVICE_TO_DEVICE));
  EXPECT_FAILS_WITH(
      ACL_ERROR_RT_PARAM_INVALID,
      aclrtMemcpy(large.get(), size, devices.buffer(1).get(), size, ACL_MEMCPY_DEVICE_TO_DEVICE));
}

}  // namespace
}  // namespace conformance::copies::aclrtMemcpy_peer_test
