// SPDX-License-Identifier: Apache-2.0
// aclrtCheckArchCompatibility: whether binaries for a product run on this one.
#include "support/devices.h"

namespace conformance::aclrtCheckArchCompatibility_test {
namespace {

TEST(AclrtCheckArchCompatibility, IsTrueForTheEmulatedProductOnly) {
  on_new_thread([] {
    int32_t answer = 99;
    EXPECT_OK(aclrtCheckArchCompatibility(aclrtGetSocName(), &answer));
    EXPECT_EQ(1, answer);
    for (const char* name :
         {"", "Ascend", "Ascend310", "ascend910b1", "Ascend910B1x", "Ascend950"}) {
      answer = 99;
      EXPECT_OK(aclrtCheckArchCompatibility(name, &answer));
      EXPECT_EQ(0, answer) << name;
    }
    EXPECT_EQ(nullptr, current_context());
  });
}

FERRY_PROCESS_TEST(AclrtCheckArchCompatibilityProcess, FollowsTheProduct, "FERRY_SOC=Ascend310P3") {
  int32_t answer = 99;
  EXPECT_OK(aclrtCheckArchCompatibility("Ascend310P3", &answer));
  EXPECT_EQ(1, answer);
  EXPECT_OK(aclrtCheckArchCompatibility("Ascend910B1", &answer));
  EXPECT_EQ(0, answer);
}

TEST(AclrtCheckArchCompatibility, RefusesNull) {
  int32_t answer = 99;
  EXPECT_FAILS(107000, "EE1004", aclrtCheckArchCompatibility(nullptr, nullptr));
  EXPECT_FAILS(107000, "EE1004", aclrtCheckArchCompatibility(nullptr, &answer));
  EXPECT_FAILS(107000, "EE1004", aclrtCheckArchCompatibility("Ascend910B1", nullptr));
  EXPECT_EQ(99, answer);
  clear_errors();
}

}  // namespace
}  // namespace conformance::aclrtCheckArchCompatibility_test
