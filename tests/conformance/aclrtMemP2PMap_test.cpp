// SPDX-License-Identifier: Apache-2.0
// aclrtMemP2PMap: a hint that another device will access memory.
#include "support/managed.h"

#include <climits>

namespace conformance::copies::aclrtMemP2PMap_test {
namespace {

using AclrtMemP2PMap = WithDevice;

TEST_F(AclrtMemP2PMap, RefusesInTheOrderOfTheContract) {
  const DeviceBuffer device(64);
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "EH0008", aclrtMemP2PMap(nullptr, 0, -1, 1));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "EH0007", aclrtMemP2PMap(device.get(), 0, -1, 1));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "EH0007", aclrtMemP2PMap(device.get(), 64, -1, 1));
  EXPECT_EQ(ACL_SUCCESS, last_error());
  for (const int32_t missing : {-1, 64, INT_MAX}) {
    EXPECT_FAILS_WITH(ACL_ERROR_RT_INVALID_DEVICEID, aclrtMemP2PMap(device.get(), 64, missing, 0));
  }
}

TEST_F(AclrtMemP2PMap, TheDeviceItselfNeedsNoPeerAccessAndNoContext) {
  const DeviceBuffer device(64);
  EXPECT_OK(aclrtMemP2PMap(device.get(), 64, 0, 0));
  on_new_thread([&] { EXPECT_OK(aclrtMemP2PMap(device.get(), 64, 0, 0)); });
}

TEST_F(AclrtMemP2PMap, RefusesHostMemory) {
  const PinnedBuffer pinned(64);
  EXPECT_FAILS_WITH(ACL_ERROR_RT_PARAM_INVALID, aclrtMemP2PMap(pinned.get(), 64, 0, 0));
  EXPECT_FAILS_WITH(ACL_ERROR_RT_PARAM_INVALID, aclrtMemP2PMap(unmapped_address(), 64, 0, 0));
}

FERRY_PROCESS_TEST(AclrtMemP2PMapProcess, NeedsPeerAccessOnA2, "FERRY_DEVICES=cpu:2",
                   "FERRY_SOC=Ascend910B4") {
  TwoDevices devices(64);
  void* const address = devices.buffer(0).get();
  EXPECT_FAILS_WITH(ACL_ERROR_RT_PARAM_INVALID, aclrtMemP2PMap(address, 64, 1, 0));
  ASSERT_OK(aclrtDeviceEnablePeerAccess(1, 0));
  EXPECT_OK(aclrtMemP2PMap(address, 64, 1, 0));
  EXPECT_OK(aclrtMemP2PMap(devices.buffer(1).get(), 64, 0, 0));
  const ManagedBuffer managed(1);
  EXPECT_OK(aclrtMemP2PMap(managed.get(), 1, 1, 0));
}

FERRY_PROCESS_TEST(AclrtMemP2PMapProcess, NeedsNoPeerAccessOnA3, "FERRY_DEVICES=cpu:2",
                   "FERRY_SOC=Ascend910_9362") {
  TwoDevices devices(64);
  EXPECT_OK(aclrtMemP2PMap(devices.buffer(0).get(), 64, 1, 0));
}

FERRY_PROCESS_TEST(AclrtMemP2PMapProcess, IsOn310P, "FERRY_SOC=Ascend310P3") {
  ASSERT_OK(aclrtSetDevice(0));
  const DeviceBuffer device(64);
  EXPECT_OK(aclrtMemP2PMap(device.get(), 64, 0, 0));
}

FERRY_PROCESS_TEST(AclrtMemP2PMapProcess, IsNotOn310B, "FERRY_SOC=Ascend310B1") {
  ASSERT_OK(aclrtSetDevice(0));
  const DeviceBuffer device(64);
  EXPECT_FAILS(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, "WE0001", aclrtMemP2PMap(device.get(), 64, 0, 0));
}

}  // namespace
}  // namespace conformance::copies::aclrtMemP2PMap_test
