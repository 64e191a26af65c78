// SPDX-License-Identifier: Apache-2.0
// aclrtNpuGetFloatOverFlowStatus: queues a copy of the overflow status, whatever the mode.
#include "support/overflow.h"

namespace conformance::aclrtNpuGetFloatOverFlowStatus_test {
namespace {

using AclrtNpuGetFloatOverFlowStatus = WithStream;

TEST_F(AclrtNpuGetFloatOverFlowStatus, CopiesTheStatusInStreamOrder) {
  uint32_t mode = 0;
  expect_reads_the_status(
      "aclrtNpuGetFloatOverFlowStatus", stream_,
      [&](void* address, size_t size, aclrtStream stream) {
        return aclrtNpuGetFloatOverFlowStatus(address, size, mode++, stream);
      },
      107000);
}

}  // namespace
}  // namespace conformance::aclrtNpuGetFloatOverFlowStatus_test
