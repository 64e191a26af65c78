// SPDX-License-Identifier: Apache-2.0
// aclrtGetSocName: the name of the emulated product.
#include "support/devices.h"

#include "ferry/ferry.h"

#include <cstdlib>

namespace conformance::aclrtGetSocName_test {
namespace {

TEST(AclrtGetSocName, AnswersTheDefaultProduct) {
  if (std::getenv("FERRY_SOC") != nullptr) GTEST_SKIP() << "FERRY_SOC is set";
  EXPECT_STREQ("Ascend910B1", aclrtGetSocName());
}

TEST(AclrtGetSocName, AnswersTheSameConstantOnEveryThread) {
  const char* name = aclrtGetSocName();
  ASSERT_NE(nullptr, name);
  for (int i = 0; i < 8; ++i) {
    on_new_thread([&] { EXPECT_EQ(name, aclrtGetSocName()); });
  }
}

TEST(AclrtGetSocName, NeedsNoContextAndLeavesNoError) {
  on_new_thread([] {
    EXPECT_NE(nullptr, aclrtGetSocName());
    EXPECT_EQ(ACL_SUCCESS, last_error());
    EXPECT_EQ("", recent_text());
    EXPECT_EQ(nullptr, current_context());
  });
}

TEST(AclrtGetSocNameProcess, AnswersEveryProductThatCanBePlayed) {
  if (is_child()) {
    EXPECT_STREQ(std::getenv("FERRY_SOC"), aclrtGetSocName());
    return;
  }
  ferryProduct product = {};
  size_t count = 0;
  while (ferryGetProduct(count, &product) == ACL_SUCCESS) {
    const std::string setting = std::string("FERRY_SOC=") + product.name;
    EXPECT_EQ(
        0, run_in_process("AclrtGetSocNameProcess.AnswersEveryProductThatCanBePlayed", {setting}))
        << setting;
    ++count;
  }
  clear_errors();
  EXPECT_GT(count, 10u);
}

FERRY_PROCESS_TEST(AclrtGetSocNameProcess, RefusesAnUnknownProduct, "FERRY_SOC=Ascend910C") {
  EXPECT_EQ(nullptr, aclrtGetSocName());
  const std::string text = recent_text();
  EXPECT_NE(std::string::npos, text.find("FERRY_SOC")) << text;
  EXPECT_NE(std::string::npos, text.find("Ascend910C")) << text;
  EXPECT_NE(std::string::npos, text.find("Ascend910B1")) << text;
}

}  // namespace
}  // namespace conformance::aclrtGetSocName_test
