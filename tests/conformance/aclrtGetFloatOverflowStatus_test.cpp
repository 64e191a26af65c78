// SPDX-License-Identifier: Apache-2.0
// aclrtGetFloatOverflowStatus: queues a copy of the overflow status.
#include "support/overflow.h"

namespace conformance::aclrtGetFloatOverflowStatus_test {
namespace {

using AclrtGetFloatOverflowStatus = WithStream;

TEST_F(AclrtGetFloatOverflowStatus, CopiesTheStatusInStreamOrder) {
  expect_reads_the_status("aclrtGetFloatOverflowStatus", stream_, aclrtGetFloatOverflowStatus,
                          107000);
}

}  // namespace
}  // namespace conformance::aclrtGetFloatOverflowStatus_test
