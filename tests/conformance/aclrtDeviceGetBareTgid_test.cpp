// SPDX-License-Identifier: Apache-2.0
// aclrtDeviceGetBareTgid: the id of the process.
#include "support/devices.h"

namespace conformance::aclrtDeviceGetBareTgid_test {
namespace {

TEST(AclrtDeviceGetBareTgid, AnswersTheProcessOnEveryThread) {
  const int32_t expected = static_cast<int32_t>(getpid());
  on_new_thread([&] {
    int32_t number = -1;
    EXPECT_OK(aclrtDeviceGetBareTgid(&number));
    EXPECT_EQ(expected, number);
    EXPECT_EQ(nullptr, current_context());
  });
}

TEST(AclrtDeviceGetBareTgid, RefusesNull) {
  clear_errors();
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "EH0008", aclrtDeviceGetBareTgid(nullptr));
  EXPECT_EQ(ACL_SUCCESS, last_error());
}

}  // namespace
}  // namespace conformance::aclrtDeviceGetBareTgid_test
