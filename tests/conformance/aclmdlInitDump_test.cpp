// SPDX-License-Identifier: Apache-2.0
// aclmdlInitDump: after aclInit, once.
#include "support/dump.h"

namespace conformance::dump::aclmdlInitDump_test {
namespace {

TEST(AclmdlInitDump, NeedsAclInit) {
  EXPECT_FAILS_WITH(100001, aclmdlInitDump());
  const Initialised initialised;
  EXPECT_OK(aclmdlInitDump());
  EXPECT_FAILS_WITH(100002, aclmdlInitDump());
  EXPECT_OK(aclmdlFinalizeDump());
  EXPECT_OK(aclmdlInitDump());
  EXPECT_OK(aclmdlFinalizeDump());
}

TEST(AclmdlInitDump, AclFinalizeEndsTheDump) {
  {
    const Initialised initialised;
    EXPECT_OK(aclmdlInitDump());
  }
  EXPECT_FAILS_WITH(100001, aclmdlInitDump());
  const Initialised initialised;
  EXPECT_FAILS_WITH(100045, aclmdlFinalizeDump());
  EXPECT_OK(aclmdlInitDump());
}

}  // namespace
}  // namespace conformance::dump::aclmdlInitDump_test
