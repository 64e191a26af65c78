// SPDX-License-Identifier: Apache-2.0
// aclmdlFinalizeDump: ends a dump that was begun.
#include "support/dump.h"

namespace conformance::dump::aclmdlFinalizeDump_test {
namespace {

TEST(AclmdlFinalizeDump, NeedsAclInitAndADump) {
  EXPECT_FAILS_WITH(100001, aclmdlFinalizeDump());
  const Initialised initialised;
  EXPECT_FAILS_WITH(100045, aclmdlFinalizeDump());
  EXPECT_OK(aclmdlInitDump());
  EXPECT_OK(aclmdlFinalizeDump());
  EXPECT_FAILS_WITH(100045, aclmdlFinalizeDump());
}

}  // namespace
}  // namespace conformance::dump::aclmdlFinalizeDump_test
