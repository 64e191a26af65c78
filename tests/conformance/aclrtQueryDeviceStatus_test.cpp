// SPDX-License-Identifier: Apache-2.0
// aclrtQueryDeviceStatus: devices of this library work.
#include "support/devices.h"

namespace conformance::aclrtQueryDeviceStatus_test {
namespace {

TEST(AclrtQueryDeviceStatus, AnswersNormalWithoutAContext) {
  on_new_thread([] {
    for (uint32_t device = 0; device < device_count(); ++device) {
      aclrtDeviceStatus status = ACL_RT_DEVICE_STATUS_ABNORMAL;
      EXPECT_OK(aclrtQueryDeviceStatus(static_cast<int32_t>(device), &status));
      EXPECT_EQ(ACL_RT_DEVICE_STATUS_NORMAL, status);
    }
    EXPECT_EQ(nullptr, current_context());
  });
}

TEST(AclrtQueryDeviceStatus, RefusesNullBeforeTheDevice) {
  clear_errors();
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "EH0008", aclrtQueryDeviceStatus(0, nullptr));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "EH0008", aclrtQueryDeviceStatus(-1, nullptr));
  EXPECT_EQ(ACL_SUCCESS, last_error());
}

TEST(AclrtQueryDeviceStatus, RefusesNumbersWithoutADevice) {
  for (const int32_t device : missing_devices()) {
    clear_errors();
    aclrtDeviceStatus status = ACL_RT_DEVICE_STATUS_END;
    EXPECT_FAILS_WITH(ACL_ERROR_RT_INVALID_DEVICEID, aclrtQueryDeviceStatus(device, &status));
    EXPECT_EQ(ACL_ERROR_RT_INVALID_DEVICEID, last_error());
    EXPECT_EQ(ACL_RT_DEVICE_STATUS_END, status);
  }
  clear_errors();
}

}  // namespace
}  // namespace conformance::aclrtQueryDeviceStatus_test
