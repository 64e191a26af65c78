// SPDX-License-Identifier: Apache-2.0
// aclrtGetGroupCount: there are no groups.
#include "support/conformance.h"

namespace conformance::aclrtGetGroupCount_test {
namespace {

TEST(AclrtGetGroupCount, RefusesNull) {
  EXPECT_FAILS(100000, "EH0008", aclrtGetGroupCount(nullptr));
}

TEST(AclrtGetGroupCount, FindsNone) {
  uint32_t count = 7;
  EXPECT_OK(aclrtGetGroupCount(&count));
  EXPECT_EQ(count, 0U);
}

}  // namespace
}  // namespace conformance::aclrtGetGroupCount_test
