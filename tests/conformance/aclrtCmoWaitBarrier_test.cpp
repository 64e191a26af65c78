// SPDX-License-Identifier: Apache-2.0
// aclrtCmoWaitBarrier: no product that Ferry emulates has barriers.
#include "support/conformance.h"

namespace conformance::aclrtCmoWaitBarrier_test {
namespace {

using AclrtCmoWaitBarrier = WithStream;

TEST_F(AclrtCmoWaitBarrier, RefusesNullThenBadNumbersThenBadEntriesThenEverything) {
  aclrtBarrierTaskInfo info = {};
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "EH0008", aclrtCmoWaitBarrier(nullptr, stream_, 0));
  for (const size_t number : {size_t{0}, size_t{7}, SIZE_MAX}) {
    info.barrierNum = number;
    EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "EH0007", aclrtCmoWaitBarrier(&info, stream_, 0));
  }
  info.barrierNum = 2;
  info.cmoInfo[0] = {ACL_RT_CMO_TYPE_INVALID, 1};
  for (const aclrtBarrierCmoInfo& wrong : {aclrtBarrierCmoInfo{ACL_RT_CMO_TYPE_INVALID, 0},
                                           aclrtBarrierCmoInfo{ACL_RT_CMO_TYPE_PREFETCH, 1}}) {
    info.cmoInfo[1] = wrong;
    EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "EE1003", aclrtCmoWaitBarrier(&info, stream_, 0));
  }
  info.cmoInfo[1] = {ACL_RT_CMO_TYPE_INVALID, 2};
  EXPECT_FAILS(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, "WE0001", aclrtCmoWaitBarrier(&info, stream_, 0));
}

}  // namespace
}  // namespace conformance::aclrtCmoWaitBarrier_test
