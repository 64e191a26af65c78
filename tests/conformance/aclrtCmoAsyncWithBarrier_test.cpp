// SPDX-License-Identifier: Apache-2.0
// aclrtCmoAsyncWithBarrier: no product that Ferry emulates has barriers.
#include "support/conformance.h"

namespace conformance::aclrtCmoAsyncWithBarrier_test {
namespace {

using AclrtCmoAsyncWithBarrier = WithStream;

TEST_F(AclrtCmoAsyncWithBarrier, RefusesNullThenEverything) {
  char memory = 0;
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "EH0008",
               aclrtCmoAsyncWithBarrier(nullptr, 1, ACL_RT_CMO_TYPE_INVALID, 1, stream_));
  EXPECT_FAILS(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, "WE0001",
               aclrtCmoAsyncWithBarrier(&memory, 1, ACL_RT_CMO_TYPE_INVALID, 1, stream_));
}

}  // namespace
}  // namespace conformance::aclrtCmoAsyncWithBarrier_test
