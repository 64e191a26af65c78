// SPDX-License-Identifier: Apache-2.0
// aclprofModelUnSubscribe: refused, during a session with a code of its own.
#include "support/profiling.h"

namespace conformance::profiling::aclprofModelUnSubscribe_test {
namespace {

TEST(AclprofModelUnSubscribe, IsRefused) {
  EXPECT_FAILS(207000, "WE0001", aclprofModelUnSubscribe(1));
  const Session session;
  EXPECT_FAILS_WITH(148047, aclprofModelUnSubscribe(1));
}

}  // namespace
}  // namespace conformance::profiling::aclprofModelUnSubscribe_test
