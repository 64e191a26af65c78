// SPDX-License-Identifier: Apache-2.0
// aclrtCtxSetSysParamOpt: sets an option of the current context.
#include "support/streams.h"

namespace conformance::aclrtCtxSetSysParamOpt_test {
namespace {

using streams::Inside;
using streams::OtherContext;
using AclrtCtxSetSysParamOpt = WithDevice;

TEST_F(AclrtCtxSetSysParamOpt, SetsItForThisContextOnly) {
  const OtherContext other;
  for (int64_t value = 3; value >= 0; --value) {
    EXPECT_OK(aclrtCtxSetSysParamOpt(ACL_OPT_DETERMINISTIC, value));
    int64_t kept = -1;
    EXPECT_OK(aclrtCtxGetSysParamOpt(ACL_OPT_DETERMINISTIC, &kept));
    EXPECT_EQ(value, kept);
  }
  const Inside inside(other);
  int64_t kept = 99;
  EXPECT_FAILS(107021, "EE1018", aclrtCtxGetSysParamOpt(ACL_OPT_DETERMINISTIC, &kept));
}

TEST_F(AclrtCtxSetSysParamOpt, ChecksOptionThenValueThenContext) {
  for (const int option : {-1, 3, 4})  // 3 is an option of the process only
    EXPECT_FAILS(100000, "EH0007", aclrtCtxSetSysParamOpt(static_cast<aclSysParamOpt>(option), 9));
  EXPECT_FAILS(107000, "EE1003", aclrtCtxSetSysParamOpt(ACL_OPT_DETERMINISTIC, 4));
  EXPECT_FAILS(107000, "EE1003", aclrtCtxSetSysParamOpt(ACL_OPT_ENABLE_DEBUG_KERNEL, 2));
  EXPECT_FAILS(107000, "EE1003", aclrtCtxSetSysParamOpt(ACL_OPT_STRONG_CONSISTENCY, -1));
  on_new_thread([] {
    EXPECT_FAILS(100000, "EH0007", aclrtCtxSetSysParamOpt(static_cast<aclSysParamOpt>(3), 0));
    EXPECT_FAILS(107000, "EE1003", aclrtCtxSetSysParamOpt(ACL_OPT_DETERMINISTIC, 4));
    EXPECT_FAILS(107002, "EE1018", aclrtCtxSetSysParamOpt(ACL_OPT_DETERMINISTIC, 1));
  });
  clear_errors();
}

}  // namespace
}  // namespace conformance::aclrtCtxSetSysParamOpt_test
