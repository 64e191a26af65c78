// SPDX-License-Identifier: Apache-2.0
// aclprofGetOpDescSize: room for name and type of an operator.
#include "support/profiling.h"

namespace conformance::profiling::aclprofGetOpDescSize_test {
namespace {

TEST(AclprofGetOpDescSize, RefusesNull) {
  EXPECT_FAILS(100000, "EH0008", aclprofGetOpDescSize(nullptr));
}

TEST(AclprofGetOpDescSize, HoldsTheNames) {
  size_t size = 0;
  EXPECT_OK(aclprofGetOpDescSize(&size));
  EXPECT_GE(size, size_t{ACL_PROF_MAX_OP_NAME_LEN + ACL_PROF_MAX_OP_TYPE_LEN});
}

}  // namespace
}  // namespace conformance::profiling::aclprofGetOpDescSize_test
