// SPDX-License-Identifier: Apache-2.0
// aclrtGetSysParamOpt: reads an option of the process.
#include "support/devices.h"

namespace conformance::aclrtGetSysParamOpt_test {
namespace {

FERRY_PROCESS_TEST(AclrtGetSysParamOptProcess, SaysWhetherAnOptionWasEverSet) {
  for (int option = ACL_OPT_DETERMINISTIC; option <= ACL_OPT_ENABLE_KERNEL_EARLY_START; ++option) {
    const auto opt = static_cast<aclSysParamOpt>(option);
    int64_t value = 99;
    EXPECT_FAILS(107021, "EE1018", aclrtGetSysParamOpt(opt, &value));
    EXPECT_EQ(0, value);
    EXPECT_OK(aclrtSetSysParamOpt(opt, 0));
    value = 99;
    EXPECT_OK(aclrtGetSysParamOpt(opt, &value));
    EXPECT_EQ(0, value);
  }
}

TEST(AclrtGetSysParamOpt, SeesWhatAnotherThreadHasSet) {
  on_new_thread([] { EXPECT_OK(aclrtSetSysParamOpt(ACL_OPT_DETERMINISTIC, 2)); });
  int64_t value = 99;
  EXPECT_OK(aclrtGetSysParamOpt(ACL_OPT_DETERMINISTIC, &value));
  EXPECT_EQ(2, value);
  EXPECT_OK(aclrtSetSysParamOpt(ACL_OPT_DETERMINISTIC, 0));
}

TEST(AclrtGetSysParamOpt, RefusesNullAndUnknownOptions) {
  clear_errors();
  int64_t value = 99;
  EXPECT_FAILS(100000, "EH0008", aclrtGetSysParamOpt(ACL_OPT_DETERMINISTIC, nullptr));
  for (const int option : {-1, 4}) {
    const auto unknown = static_cast<aclSysParamOpt>(option);
    EXPECT_FAILS(100000, "EH0008", aclrtGetSysParamOpt(unknown, nullptr));
    EXPECT_FAILS(100000, "EH0007", aclrtGetSysParamOpt(unknown, &value));
  }
  EXPECT_EQ(99, value);
  EXPECT_EQ(ACL_SUCCESS, last_error());
}

}  // namespace
}  // namespace conformance::aclrtGetSysParamOpt_test
