// SPDX-License-Identifier: Apache-2.0
// aclprofCreateSubscribeConfig: needs somewhere to send data.
#include "support/profiling.h"

namespace conformance::profiling::aclprofCreateSubscribeConfig_test {
namespace {

TEST(AclprofCreateSubscribeConfig, RefusesNull) {
  EXPECT_EQ(aclprofCreateSubscribeConfig(1, ACL_AICORE_NONE, nullptr), nullptr);
  EXPECT_NE(recent_text().find("fd is NULL"), std::string::npos);
}

TEST(AclprofCreateSubscribeConfig, MakesDistinctOnes) {
  int pipe_end = 0;
  aclprofSubscribeConfig* first = aclprofCreateSubscribeConfig(1, ACL_AICORE_NONE, &pipe_end);
  aclprofSubscribeConfig* second = aclprofCreateSubscribeConfig(0, ACL_AICORE_L2_CACHE, &pipe_end);
  EXPECT_NE(first, nullptr);
  EXPECT_NE(second, nullptr);
  EXPECT_NE(first, second);
  EXPECT_OK(aclprofDestroySubscribeConfig(first));
  EXPECT_OK(aclprofDestroySubscribeConfig(second));
}

}  // namespace
}  // namespace conformance::profiling::aclprofCreateSubscribeConfig_test
