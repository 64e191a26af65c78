// SPDX-License-Identifier: Apache-2.0
// aclrtGetOverflowStatus: queues a copy of the overflow status.
#include "support/overflow.h"

namespace conformance::aclrtGetOverflowStatus_test {
namespace {

using AclrtGetOverflowStatus = WithStream;

TEST_F(AclrtGetOverflowStatus, CopiesTheStatusInStreamOrder) {
  expect_reads_the_status("aclrtGetOverflowStatus", stream_, aclrtGetOverflowStatus, 100000);
}

}  // namespace
}  // namespace conformance::aclrtGetOverflowStatus_test
