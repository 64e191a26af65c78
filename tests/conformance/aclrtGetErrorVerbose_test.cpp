// SPDX-License-Identifier: Apache-2.0
// aclrtGetErrorVerbose: devices of this library have no faults.
#include "support/devices.h"

#include <cstring>
#include <memory>

namespace conformance::aclrtGetErrorVerbose_test {
namespace {

TEST(AclrtGetErrorVerbose, AnswersNoErrorAndZeros) {
  on_new_thread([] {
    const auto info = std::make_unique<aclrtErrorInfo>();
    const std::vector<char> zeros(sizeof *info);
    std::memset(info.get(), 0x5A, sizeof *info);
    EXPECT_OK(aclrtGetErrorVerbose(0, info.get()));
    EXPECT_EQ(ACL_RT_NO_ERROR, info->errorType);
    EXPECT_EQ(0, info->tryRepair);
    EXPECT_EQ(0, info->hasDetail);
    EXPECT_EQ(0, std::memcmp(zeros.data(), static_cast<const void*>(info.get()), zeros.size()));
    EXPECT_EQ(nullptr, current_context());
  });
}

TEST(AclrtGetErrorVerbose, RefusesNullBeforeTheDevice) {
  clear_errors();
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "EH0008", aclrtGetErrorVerbose(0, nullptr));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "EH0008", aclrtGetErrorVerbose(-1, nullptr));
  EXPECT_EQ(ACL_SUCCESS, last_error());
}

TEST(AclrtGetErrorVerbose, RefusesNumbersWithoutADevice) {
  const auto info = std::make_unique<aclrtErrorInfo>();
  for (const int32_t device : missing_devices()) {
    clear_errors();
    info->tryRepair = 77;
    EXPECT_FAILS_WITH(ACL_ERROR_RT_INVALID_DEVICEID, aclrtGetErrorVerbose(device, info.get()));
    EXPECT_EQ(ACL_ERROR_RT_INVALID_DEVICEID, last_error());
    EXPECT_EQ(77, info->tryRepair);
  }
  clear_errors();
}

}  // namespace
}  // namespace conformance::aclrtGetErrorVerbose_test
