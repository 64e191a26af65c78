// SPDX-License-Identifier: Apache-2.0
// aclrtGetDeviceCount: how many devices the program sees.
#include "support/devices.h"

#include <cstdlib>

namespace conformance::aclrtGetDeviceCount_test {
namespace {

TEST(AclrtGetDeviceCount, CountsOneDeviceByDefault) {
  if (std::getenv("FERRY_DEVICES") != nullptr) GTEST_SKIP() << "FERRY_DEVICES is set";
  uint32_t count = 99;
  EXPECT_OK(aclrtGetDeviceCount(&count));
  EXPECT_EQ(1u, count);
}

TEST(AclrtGetDeviceCount, RefusesNull) {
  clear_errors();
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "EH0008", aclrtGetDeviceCount(nullptr));
  EXPECT_EQ(ACL_SUCCESS, last_error());
}

TEST(AclrtGetDeviceCount, NeedsNoContextAndSetsNone) {
  on_new_thread([] {
    uint32_t count = 0;
    EXPECT_OK(aclrtGetDeviceCount(&count));
    EXPECT_GE(count, 1u);
    EXPECT_EQ(nullptr, current_context());
  });
}

FERRY_PROCESS_TEST(AclrtGetDeviceCountProcess, CountsAllDevices, "FERRY_DEVICES=cpu:4") {
  EXPECT_EQ(4u, device_count());
}

FERRY_PROCESS_TEST(AclrtGetDeviceCountProcess, AddsUpKindsOfDevices, "FERRY_DEVICES=cpu:2,null:3") {
  EXPECT_EQ(5u, device_count());
}

FERRY_PROCESS_TEST(AclrtGetDeviceCountProcess, CountsOnlyVisibleDevices, "FERRY_DEVICES=cpu:4",
                   "ASCEND_RT_VISIBLE_DEVICES=3,1") {
  EXPECT_EQ(2u, device_count());
}

FERRY_PROCESS_TEST(AclrtGetDeviceCountProcess, CountsTheSameOnManyThreads, "FERRY_DEVICES=cpu:3") {
  on_threads(8, [] { EXPECT_EQ(3u, device_count()); });
}

}  // namespace
}  // namespace conformance::aclrtGetDeviceCount_test
