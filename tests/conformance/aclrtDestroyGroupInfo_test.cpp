// SPDX-License-Identifier: Apache-2.0
// aclrtDestroyGroupInfo: no description of groups can exist.
#include "support/conformance.h"

namespace conformance::aclrtDestroyGroupInfo_test {
namespace {

TEST(AclrtDestroyGroupInfo, RefusesEverything) {
  EXPECT_FAILS(100000, "EH0008", aclrtDestroyGroupInfo(nullptr));
  int something = 0;
  EXPECT_FAILS(100000, "EH0009",
               aclrtDestroyGroupInfo(reinterpret_cast<aclrtGroupInfo*>(&something)));
}

}  // namespace
}  // namespace conformance::aclrtDestroyGroupInfo_test
