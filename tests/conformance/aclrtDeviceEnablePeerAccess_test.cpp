// SPDX-License-Identifier: Apache-2.0
// aclrtDeviceEnablePeerAccess: lets a device copy from and to another one.
#include "support/devices.h"

namespace conformance::aclrtDeviceEnablePeerAccess_test {
namespace {

using AclrtDeviceEnablePeerAccess = WithDevice;

TEST_F(AclrtDeviceEnablePeerAccess, RefusesFlagsFirst) {
  for (const uint32_t flags : {1u, 0x80000000u, UINT32_MAX}) {
    EXPECT_FAILS_WITH(ACL_ERROR_RT_PARAM_INVALID, aclrtDeviceEnablePeerAccess(-1, flags));
  }
  EXPECT_EQ(ACL_ERROR_RT_PARAM_INVALID, last_error());
  on_new_thread(
      [] { EXPECT_FAILS_WITH(ACL_ERROR_RT_PARAM_INVALID, aclrtDeviceEnablePeerAccess(-1, 1)); });
}

TEST_F(AclrtDeviceEnablePeerAccess, NeedsAContextBeforeADevice) {
  on_new_thread([] {
    EXPECT_FAILS(ACL_ERROR_RT_CONTEXT_NULL, "EE1018", aclrtDeviceEnablePeerAccess(-1, 0));
    EXPECT_EQ(ACL_ERROR_RT_CONTEXT_NULL, last_error());
  });
}

TEST_F(AclrtDeviceEnablePeerAccess, RefusesNumbersWithoutADevice) {
  for (const int32_t device : missing_devices()) {
    clear_errors();
    EXPECT_FAILS_WITH(ACL_ERROR_RT_INVALID_DEVICEID, aclrtDeviceEnablePeerAccess(device, 0));
    EXPECT_EQ(ACL_ERROR_RT_INVALID_DEVICEID, last_error());
  }
}

TEST_F(AclrtDeviceEnablePeerAccess, RefusesTheDeviceItself) {
  EXPECT_FAILS_WITH(ACL_ERROR_RT_PARAM_INVALID, aclrtDeviceEnablePeerAccess(0, 0));
  EXPECT_EQ(ACL_ERROR_RT_PARAM_INVALID, last_error());
}

// Copies between buffers on two devices; the codes of both directions must be equal.
aclError copy_both_ways(void* near, void* far) {
  const aclError there = aclrtMemcpy(far, 64, near, 64, ACL_MEMCPY_DEVICE_TO_DEVICE);
  const aclError back = aclrtMemcpy(near, 64, far, 64, ACL_MEMCPY_DEVICE_TO_DEVICE);
  EXPECT_EQ(there, back);
  return there;
}

struct Pair {
  void* near = nullptr;  // on device 0, which is current afterwards
  void* far = nullptr;   // on device 1
};

Pair allocate_on_both() {
  Pair pair;
  EXPECT_OK(aclrtSetDevice(1));
  EXPECT_OK(aclrtMalloc(&pair.far, 64, ACL_MEM_MALLOC_HUGE_FIRST));
  EXPECT_OK(aclrtMemset(pair.far, 64, 0, 64));
  EXPECT_OK(aclrtSetDevice(0));
  EXPECT_OK(aclrtMalloc(&pair.near, 64, ACL_MEM_MALLOC_HUGE_FIRST));
  EXPECT_OK(aclrtMemset(pair.near, 64, 0, 64));
  return pair;
}

FERRY_PROCESS_TEST(AclrtDeviceEnablePeerAccessProcess, AllowsCopiesBothWays,
                   "FERRY_DEVICES=cpu:2") {
  const Pair pair = allocate_on_both();
  EXPECT_EQ(ACL_ERROR_RT_PARAM_INVALID, copy_both_ways(pair.near, pair.far));
  EXPECT_OK(aclrtDeviceEnablePeerAccess(1, 0));
  EXPECT_OK(aclrtDeviceEnablePeerAccess(1, 0));
  EXPECT_EQ(ACL_SUCCESS, copy_both_ways(pair.near, pair.far));

  const std::vector<uint8_t> sent = pattern(64);
  std::vector<uint8_t> received(64);
  EXPECT_OK(aclrtMemcpy(pair.near, 64, sent.data(), 64, ACL_MEMCPY_HOST_TO_DEVICE));
  EXPECT_OK(aclrtMemcpyAsync(pair.far, 64, pair.near, 64, ACL_MEMCPY_DEVICE_TO_DEVICE, nullptr));
  EXPECT_OK(aclrtSynchronizeStream(nullptr));
  EXPECT_OK(aclrtMemcpy(received.data(), 64, pair.far, 64, ACL_MEMCPY_DEVICE_TO_HOST));
  EXPECT_EQ(sent, received);
}

FERRY_PROCESS_TEST(AclrtDeviceEnablePeerAccessProcess, HoldsForOneDirection,
                   "FERRY_DEVICES=cpu:2") {
  ASSERT_OK(aclrtSetDevice(0));
  EXPECT_OK(aclrtDeviceEnablePeerAccess(1, 0));
  int32_t forth = -1, back = -1;
  EXPECT_OK(aclrtDevicePeerAccessStatus(0, 1, &forth));
  EXPECT_OK(aclrtDevicePeerAccessStatus(1, 0, &back));
  EXPECT_EQ(1, forth);
  EXPECT_EQ(0, back);
}

FERRY_PROCESS_TEST(AclrtDeviceEnablePeerAccessProcess, IsNotNeededOnA3Products,
                   "FERRY_DEVICES=cpu:2", "FERRY_SOC=Ascend910_9391") {
  const Pair pair = allocate_on_both();
  EXPECT_EQ(ACL_SUCCESS, copy_both_ways(pair.near, pair.far));
  EXPECT_OK(aclrtDeviceEnablePeerAccess(1, 0));
  EXPECT_EQ(ACL_SUCCESS, copy_both_ways(pair.near, pair.far));
}

FERRY_PROCESS_TEST(AclrtDeviceEnablePeerAccessProcess, WorksOnManyThreadsAtOnce,
                   "FERRY_DEVICES=cpu:3") {
  on_threads(6, [](int i) {
    const int32_t device = i % 3;
    ASSERT_OK(aclrtSetDevice(device));
    for (int round = 0; round < 20; ++round)
      EXPECT_OK(aclrtDeviceEnablePeerAccess((device + 1) % 3, 0));
  });
}

}  // namespace
}  // namespace conformance::aclrtDeviceEnablePeerAccess_test
