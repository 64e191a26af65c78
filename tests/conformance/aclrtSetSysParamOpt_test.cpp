// SPDX-License-Identifier: Apache-2.0
// aclrtSetSysParamOpt: sets an option of the process.
#include "support/devices.h"

namespace conformance::aclrtSetSysParamOpt_test {
namespace {

struct Allowed {
  aclSysParamOpt option;
  int64_t most;
};
constexpr Allowed kAllowed[] = {{ACL_OPT_DETERMINISTIC, 3},
                                {ACL_OPT_ENABLE_DEBUG_KERNEL, 1},
                                {ACL_OPT_STRONG_CONSISTENCY, 1},
                                {ACL_OPT_ENABLE_KERNEL_EARLY_START, 1}};

TEST(AclrtSetSysParamOpt, TakesTheValuesOfEachOptionWithoutAContext) {
  on_new_thread([] {
    for (const auto& [option, most] : kAllowed) {
      for (int64_t value = most; value >= 0; --value) {
        EXPECT_OK(aclrtSetSysParamOpt(option, value));
        int64_t kept = -1;
        EXPECT_OK(aclrtGetSysParamOpt(option, &kept));
        EXPECT_EQ(value, kept);
      }
    }
  });
}

TEST(AclrtSetSysParamOpt, RefusesOtherValues) {
  for (const auto& [option, most] : kAllowed) {
    for (const int64_t value : {most + 1, int64_t{-1}, INT64_MIN, INT64_MAX}) {
      clear_errors();
      EXPECT_FAILS(107000, "EE1003", aclrtSetSysParamOpt(option, value));
      EXPECT_EQ(107000, last_error());
    }
  }
  clear_errors();
}

TEST(AclrtSetSysParamOpt, RefusesUnknownOptionsFirst) {
  clear_errors();
  for (const int option : {-1, 4, 1000}) {
    EXPECT_FAILS(100000, "EH0007", aclrtSetSysParamOpt(static_cast<aclSysParamOpt>(option), 1));
    EXPECT_FAILS(100000, "EH0007", aclrtSetSysParamOpt(static_cast<aclSysParamOpt>(option), 99));
  }
  EXPECT_EQ(ACL_SUCCESS, last_error());
}

}  // namespace
}  // namespace conformance::aclrtSetSysParamOpt_test
