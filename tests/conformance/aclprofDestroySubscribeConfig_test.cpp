// SPDX-License-Identifier: Apache-2.0
// aclprofDestroySubscribeConfig: live configurations only.
#include "support/profiling.h"

namespace conformance::profiling::aclprofDestroySubscribeConfig_test {
namespace {

TEST(AclprofDestroySubscribeConfig, RefusesWhatIsNoConfiguration) {
  int pipe_end = 0;
  aclprofSubscribeConfig* config = aclprofCreateSubscribeConfig(1, ACL_AICORE_NONE, &pipe_end);
  EXPECT_OK(aclprofDestroySubscribeConfig(config));
  EXPECT_FAILS(100000, "EH0009", aclprofDestroySubscribeConfig(config));
  EXPECT_FAILS(100000, "EH0008", aclprofDestroySubscribeConfig(nullptr));
}

}  // namespace
}  // namespace conformance::profiling::aclprofDestroySubscribeConfig_test
