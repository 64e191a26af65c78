// SPDX-License-Identifier: Apache-2.0
// aclrtDeviceL2CacheFlush: nothing is left to do, since caches are coherent.
#include "support/conformance.h"

namespace conformance::aclrtDeviceL2CacheFlush_test {
namespace {

using AclrtDeviceL2CacheFlush = WithDevice;

TEST_F(AclrtDeviceL2CacheFlush, Succeeds) {
  EXPECT_OK(aclrtDeviceL2CacheFlush(nullptr));
}

TEST_F(AclrtDeviceL2CacheFlush, RefusesAnArgumentThenAMissingContext) {
  int reserved = 0;
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "EH0012", aclrtDeviceL2CacheFlush(&reserved));
  on_new_thread([&] {
    EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "EH0012", aclrtDeviceL2CacheFlush(&reserved));
    EXPECT_FAILS(ACL_ERROR_RT_CONTEXT_NULL, "EE1018", aclrtDeviceL2CacheFlush(nullptr));
  });
}

}  // namespace
}  // namespace conformance::aclrtDeviceL2CacheFlush_test
