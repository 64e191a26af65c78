// SPDX-License-Identifier: Apache-2.0
// aclrtGetAllGroupInfo: no description of groups can exist.
#include "support/conformance.h"

namespace conformance::aclrtGetAllGroupInfo_test {
namespace {

TEST(AclrtGetAllGroupInfo, RefusesEverything) {
  EXPECT_FAILS(100000, "EH0008", aclrtGetAllGroupInfo(nullptr));
  int something = 0;
  EXPECT_FAILS(100000, "EH0009",
               aclrtGetAllGroupInfo(reinterpret_cast<aclrtGroupInfo*>(&something)));
}

}  // namespace
}  // namespace conformance::aclrtGetAllGroupInfo_test
