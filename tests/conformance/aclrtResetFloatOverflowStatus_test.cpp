// SPDX-License-Identifier: Apache-2.0
// aclrtResetFloatOverflowStatus: queues the reset of the overflow status.
#include "support/overflow.h"

namespace conformance::aclrtResetFloatOverflowStatus_test {
namespace {

using AclrtResetFloatOverflowStatus = WithStream;

TEST_F(AclrtResetFloatOverflowStatus, ResetsTheStatusInStreamOrder) {
  expect_resets_the_status("aclrtResetFloatOverflowStatus", stream_, aclrtResetFloatOverflowStatus);
}

}  // namespace
}  // namespace conformance::aclrtResetFloatOverflowStatus_test
