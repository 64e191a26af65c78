// SPDX-License-Identifier: Apache-2.0
// aclrtNpuClearFloatOverFlowStatus: queues the reset of the overflow status, whatever the mode.
#include "support/overflow.h"

namespace conformance::aclrtNpuClearFloatOverFlowStatus_test {
namespace {

using AclrtNpuClearFloatOverFlowStatus = WithStream;

TEST_F(AclrtNpuClearFloatOverFlowStatus, ResetsTheStatusInStreamOrder) {
  for (const uint32_t mode : {0u, 1u, UINT32_MAX}) {
    expect_resets_the_status("aclrtNpuClearFloatOverFlowStatus", stream_, [&](aclrtStream stream) {
      return aclrtNpuClearFloatOverFlowStatus(mode, stream);
    });
  }
}

}  // namespace
}  // namespace conformance::aclrtNpuClearFloatOverFlowStatus_test
