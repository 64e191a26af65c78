// SPDX-License-Identifier: Apache-2.0
// aclrtGetGroupInfoDetail: no index is that of a group.
#include "support/conformance.h"

namespace conformance::aclrtGetGroupInfoDetail_test {
namespace {

TEST(AclrtGetGroupInfoDetail, RefusesNullAndEveryIndex) {
  int something = 0;
  const auto* info = reinterpret_cast<const aclrtGroupInfo*>(&something);
  int32_t value = 0;
  size_t size = 0;
  const auto get = [&](const aclrtGroupInfo* of, int32_t index, void* to, size_t* written) {
    return aclrtGetGroupInfoDetail(of, index, ACL_GROUP_AICORE_INT, to, sizeof value, written);
  };
  EXPECT_TRUE(fails_as("", "", "aclrtGetGroupInfoDetail", 100000, "EH0008",
                       get(nullptr, 0, &value, &size)));
  EXPECT_TRUE(
      fails_as("", "", "aclrtGetGroupInfoDetail", 100000, "EH0008", get(info, 0, nullptr, &size)));
  EXPECT_TRUE(
      fails_as("", "", "aclrtGetGroupInfoDetail", 100000, "EH0008", get(info, 0, &value, nullptr)));
  for (const int32_t index : {0, 1, -1, INT32_MAX, INT32_MIN})
    EXPECT_TRUE(fails_as("", "", "aclrtGetGroupInfoDetail", 100000, "EH0007",
                         get(info, index, &value, &size)));
}

}  // namespace
}  // namespace conformance::aclrtGetGroupInfoDetail_test
