// SPDX-License-Identifier: Apache-2.0
// aclrtResetOverflowStatus: queues the reset of the overflow status.
#include "support/overflow.h"

namespace conformance::aclrtResetOverflowStatus_test {
namespace {

using AclrtResetOverflowStatus = WithStream;

TEST_F(AclrtResetOverflowStatus, ResetsTheStatusInStreamOrder) {
  expect_resets_the_status("aclrtResetOverflowStatus", stream_, aclrtResetOverflowStatus);
}

}  // namespace
}  // namespace conformance::aclrtResetOverflowStatus_test
