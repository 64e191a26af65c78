// SPDX-License-Identifier: Apache-2.0
// aclprofModelSubscribe: refused, during a session with a code of its own.
#include "support/profiling.h"

namespace conformance::profiling::aclprofModelSubscribe_test {
namespace {

TEST(AclprofModelSubscribe, IsRefused) {
  int pipe_end = 0;
  aclprofSubscribeConfig* config = aclprofCreateSubscribeConfig(1, ACL_AICORE_NONE, &pipe_end);
  ASSERT_NE(config, nullptr);
  EXPECT_FAILS(100000, "EH0008", aclprofModelSubscribe(1, nullptr));
  EXPECT_FAILS(207000, "WE0001", aclprofModelSubscribe(1, config));
  {
    const Session session;
    EXPECT_FAILS(100000, "EH0008", aclprofModelSubscribe(1, nullptr));
    EXPECT_FAILS_WITH(148047, aclprofModelSubscribe(1, config));
  }
  EXPECT_FAILS(207000, "WE0001", aclprofModelSubscribe(1, config));
  EXPECT_OK(aclprofDestroySubscribeConfig(config));
  EXPECT_FAILS(100000, "EH0009", aclprofModelSubscribe(1, config));
}

}  // namespace
}  // namespace conformance::profiling::aclprofModelSubscribe_test
