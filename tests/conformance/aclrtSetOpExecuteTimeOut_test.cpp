// SPDX-License-Identifier: Apache-2.0
// aclrtSetOpExecuteTimeOut: the time limit for operators; stored, without effect.
#include "support/devices.h"

namespace conformance::aclrtSetOpExecuteTimeOut_test {
namespace {

using AclrtSetOpExecuteTimeOut = WithDevice;

TEST_F(AclrtSetOpExecuteTimeOut, AcceptsAnyTime) {
  for (const uint32_t seconds : {0u, 1u, 547u, 1092u, UINT32_MAX}) {
    EXPECT_OK(aclrtSetOpExecuteTimeOut(seconds));
  }
  EXPECT_OK(aclrtSetOpExecuteTimeOut(0));
}

TEST_F(AclrtSetOpExecuteTimeOut, DoesNotLimitCopies) {
  EXPECT_OK(aclrtSetOpExecuteTimeOut(1));
  DeviceBuffer device(4096);
  EXPECT_OK(aclrtMemsetAsync(device.get(), 4096, 5, 4096, nullptr));
  EXPECT_OK(aclrtSynchronizeStream(nullptr));
  EXPECT_EQ(std::vector<uint8_t>(4096, 5), device.read());
  EXPECT_OK(aclrtSetOpExecuteTimeOut(0));
}

TEST_F(AclrtSetOpExecuteTimeOut, NeedsAContext) {
  on_new_thread([] {
    EXPECT_FAILS(ACL_ERROR_RT_CONTEXT_NULL, "EE1018", aclrtSetOpExecuteTimeOut(1));
    EXPECT_EQ(ACL_ERROR_RT_CONTEXT_NULL, last_error());
  });
}

}  // namespace
}  // namespace conformance::aclrtSetOpExecuteTimeOut_test
