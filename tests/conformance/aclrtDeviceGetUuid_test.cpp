// SPDX-License-Identifier: Apache-2.0
// aclrtDeviceGetUuid: the unique id of a device.
#include "support/devices.h"

#include <cstdlib>
#include <cstring>

namespace conformance::aclrtDeviceGetUuid_test {
namespace {

// As digits, so that it can be passed to another process.
std::string uuid(int32_t device) {
  aclrtUuid value = {};
  EXPECT_OK(aclrtDeviceGetUuid(device, &value));
  std::string digits;
  for (const char byte : value.bytes)
    digits += std::to_string(static_cast<unsigned char>(byte)) + ".";
  return digits;
}

TEST(AclrtDeviceGetUuid, AnswersTheSameAgainWithoutAContext) {
  const std::string first = uuid(0);
  on_new_thread([&] {
    EXPECT_EQ(first, uuid(0));
    EXPECT_EQ(nullptr, current_context());
  });
}

TEST(AclrtDeviceGetUuid, IsNotEmpty) {
  aclrtUuid value = {}, zeros = {};
  EXPECT_OK(aclrtDeviceGetUuid(0, &value));
  EXPECT_NE(0, std::memcmp(&value, &zeros, sizeof value));
}

TEST(AclrtDeviceGetUuid, RefusesNullBeforeTheDevice) {
  clear_errors();
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "EH0008", aclrtDeviceGetUuid(0, nullptr));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "EH0008", aclrtDeviceGetUuid(-1, nullptr));
  EXPECT_EQ(ACL_SUCCESS, last_error());
}

TEST(AclrtDeviceGetUuid, RefusesNumbersWithoutADevice) {
  for (const int32_t device : missing_devices()) {
    clear_errors();
    aclrtUuid value;
    std::memset(&value, 7, sizeof value);
    EXPECT_FAILS_WITH(ACL_ERROR_RT_INVALID_DEVICEID, aclrtDeviceGetUuid(device, &value));
    EXPECT_EQ(ACL_ERROR_RT_INVALID_DEVICEID, last_error());
    EXPECT_EQ(7, value.bytes[0]);
  }
  clear_errors();
}

FERRY_PROCESS_TEST(AclrtDeviceGetUuidProcess, DiffersFromDeviceToDevice, "FERRY_DEVICES=cpu:3") {
  EXPECT_NE(uuid(0), uuid(1));
  EXPECT_NE(uuid(0), uuid(2));
  EXPECT_NE(uuid(1), uuid(2));
}

TEST(AclrtDeviceGetUuidProcess, FollowsThePositionInFerryDevices) {
  if (is_child()) {
    EXPECT_EQ(std::getenv("CONFORMANCE_UUID"), uuid(1));
    EXPECT_NE(std::getenv("CONFORMANCE_UUID"), uuid(0));
    return;
  }
  if (std::getenv("FERRY_DEVICES") != nullptr) GTEST_SKIP() << "FERRY_DEVICES is set";
  EXPECT_EQ(0, run_in_process("AclrtDeviceGetUuidProcess.FollowsThePositionInFerryDevices",
                              {"FERRY_DEVICES=cpu:2", "ASCEND_RT_VISIBLE_DEVICES=1,0",
                               "CONFORMANCE_UUID=" + uuid(0)}));
}

}  // namespace
}  // namespace conformance::aclrtDeviceGetUuid_test
