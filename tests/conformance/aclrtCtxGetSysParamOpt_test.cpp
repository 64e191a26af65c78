// SPDX-License-Identifier: Apache-2.0
// aclrtCtxGetSysParamOpt: reads an option of the current context.
#include "support/devices.h"

namespace conformance::aclrtCtxGetSysParamOpt_test {
namespace {

using AclrtCtxGetSysParamOpt = WithDevice;

TEST_F(AclrtCtxGetSysParamOpt, DoesNotTakeTheOptionOfTheProcess) {
  EXPECT_OK(aclrtSetSysParamOpt(ACL_OPT_STRONG_CONSISTENCY, 1));
  int64_t value = 99;
  EXPECT_FAILS(107021, "EE1018", aclrtCtxGetSysParamOpt(ACL_OPT_STRONG_CONSISTENCY, &value));
  EXPECT_EQ(0, value);
  EXPECT_OK(aclrtCtxSetSysParamOpt(ACL_OPT_STRONG_CONSISTENCY, 0));
  EXPECT_OK(aclrtCtxGetSysParamOpt(ACL_OPT_STRONG_CONSISTENCY, &value));
  EXPECT_OK(aclrtSetSysParamOpt(ACL_OPT_STRONG_CONSISTENCY, 0));
}

TEST_F(AclrtCtxGetSysParamOpt, ChecksNullThenOptionThenContext) {
  int64_t value = 99;
  EXPECT_FAILS(100000, "EH0008", aclrtCtxGetSysParamOpt(ACL_OPT_DETERMINISTIC, nullptr));
  EXPECT_FAILS(100000, "EH0008", aclrtCtxGetSysParamOpt(static_cast<aclSysParamOpt>(3), nullptr));
  EXPECT_FAILS(100000, "EH0007", aclrtCtxGetSysParamOpt(static_cast<aclSysParamOpt>(3), &value));
  on_new_thread([&] {
    EXPECT_FAILS(100000, "EH0008", aclrtCtxGetSysParamOpt(ACL_OPT_DETERMINISTIC, nullptr));
    EXPECT_FAILS(100000, "EH0007", aclrtCtxGetSysParamOpt(static_cast<aclSysParamOpt>(3), &value));
    EXPECT_FAILS(107002, "EE1018", aclrtCtxGetSysParamOpt(ACL_OPT_DETERMINISTIC, &value));
  });
  EXPECT_EQ(99, value);
  clear_errors();
}

}  // namespace
}  // namespace conformance::aclrtCtxGetSysParamOpt_test
