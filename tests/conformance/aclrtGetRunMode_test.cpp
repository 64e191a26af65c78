// SPDX-License-Identifier: Apache-2.0
// aclrtGetRunMode: the program runs on the host.
#include "support/devices.h"

namespace conformance::aclrtGetRunMode_test {
namespace {

TEST(AclrtGetRunMode, AnswersHostWithoutAContext) {
  on_new_thread([] {
    aclrtRunMode mode = ACL_DEVICE;
    EXPECT_OK(aclrtGetRunMode(&mode));
    EXPECT_EQ(ACL_HOST, mode);
    EXPECT_EQ(nullptr, current_context());
  });
}

TEST(AclrtGetRunMode, RefusesNull) {
  clear_errors();
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "EH0008", aclrtGetRunMode(nullptr));
  EXPECT_EQ(ACL_SUCCESS, last_error());
}

}  // namespace
}  // namespace conformance::aclrtGetRunMode_test
