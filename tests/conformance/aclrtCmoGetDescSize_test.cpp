// SPDX-License-Identifier: Apache-2.0
// aclrtCmoGetDescSize: how much device memory a descriptor takes.
#include "support/conformance.h"

namespace conformance::aclrtCmoGetDescSize_test {
namespace {

TEST(AclrtCmoGetDescSize, Is32AndNeedsNoContext) {
  size_t size = 0;
  on_new_thread([&] { EXPECT_OK(aclrtCmoGetDescSize(&size)); });
  EXPECT_EQ(size, 32u);
}

TEST(AclrtCmoGetDescSize, RefusesNull) {
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "EE1004", aclrtCmoGetDescSize(nullptr));
}

FERRY_PROCESS_TEST(AclrtCmoGetDescSizeProcess, Is32OnA3Too, "FERRY_SOC=Ascend910_9362") {
  size_t size = 0;
  EXPECT_OK(aclrtCmoGetDescSize(&size));
  EXPECT_EQ(size, 32u);
}

}  // namespace
}  // namespace conformance::aclrtCmoGetDescSize_test
