// SPDX-License-Identifier: Apache-2.0
// aclprofStr2Id: a stable hash.
#include "support/profiling.h"

namespace conformance::profiling::aclprofStr2Id_test {
namespace {

TEST(AclprofStr2Id, RefusesNull) {
  clear_errors();
  EXPECT_EQ(aclprofStr2Id(nullptr), UINT64_MAX);
  EXPECT_NE(recent_text().find("message is NULL"), std::string::npos);
}

// The numbers are part of what programs store: they must not change.
TEST(AclprofStr2Id, IsStable) {
  EXPECT_EQ(aclprofStr2Id(""), 0xCBF29CE484222325U);
  EXPECT_EQ(aclprofStr2Id("a"), 0xAF63DC4C8601EC8CU);
  EXPECT_EQ(aclprofStr2Id("foobar"), 0x85944171F73967E8U);
  EXPECT_EQ(aclprofStr2Id("foobar"), aclprofStr2Id("foobar"));
  EXPECT_NE(aclprofStr2Id("MatMul"), aclprofStr2Id("matMul"));
}

}  // namespace
}  // namespace conformance::profiling::aclprofStr2Id_test
