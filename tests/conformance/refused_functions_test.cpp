// SPDX-License-Identifier: Apache-2.0
// The functions that exist only so that programs link and load, and refuse every call. The script
// check_refused.py compares the table with the interface.
#include "support/devices.h"
#include "support/zero_call.h"

#include "acl/acl_dump.h"
#include "acl/acl_prof.h"

#include <cstring>

namespace conformance::refused_functions_test {
namespace {

// clang-format off
constexpr ZeroCall kRefused[] = {
    {"aclrtSetGroup", zeros<aclrtSetGroup>},
    {"aclrtCreateGroupInfo", zeros<aclrtCreateGroupInfo>},
    {"aclrtSubscribeHostFunc", zeros<aclrtSubscribeHostFunc>},
    {"aclrtProcessHostFunc", zeros<aclrtProcessHostFunc>},
    {"aclrtUnSubscribeHostFunc", zeros<aclrtUnSubscribeHostFunc>},
    {"aclprofGetOpNum", zeros<aclprofGetOpNum>},
    {"aclprofGetOpTypeLen", zeros<aclprofGetOpTypeLen>},
    {"aclprofGetOpType", zeros<aclprofGetOpType>},
    {"aclprofGetOpNameLen", zeros<aclprofGetOpNameLen>},
    {"aclprofGetOpName", zeros<aclprofGetOpName>},
    {"aclprofGetOpStart", zeros<aclprofGetOpStart>},
    {"aclprofGetOpEnd", zeros<aclprofGetOpEnd>},
    {"aclprofGetOpDuration", zeros<aclprofGetOpDuration>},
    {"aclprofGetModelId", zeros<aclprofGetModelId>},
    {"aclprofGetOpFlag", zeros<aclprofGetOpFlag>},
    {"aclprofGetOpAttriValue", zeros<aclprofGetOpAttriValue>},
};
// clang-format on

void expect_refusal(const ZeroCall& function) {
  clear_errors();
  const ZeroCallResult result = function.call();
  EXPECT_EQ(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, last_error());
  if (result.is_code) {
    EXPECT_EQ(static_cast<uint64_t>(ACL_ERROR_RT_FEATURE_NOT_SUPPORT), result.value);
  } else {
    // NULL or 0, and 0xFFFFFFFF where the result is an id.
    const bool is_id = std::strstr(function.name, "Id") != nullptr;
    EXPECT_TRUE(result.value == 0 || (is_id && result.value == 0xFFFFFFFF)) << result.value;
  }
  const std::string text = recent_text();
  EXPECT_EQ(0u, text.find(std::string(function.name) + ": ")) << text;
  EXPECT_EQ(text.size() - 8, text.rfind("(WE0001)")) << text;
}

TEST(RefusedFunctions, RefuseWithoutAContext) {
  on_new_thread([] {
    for (const ZeroCall& function : kRefused) {
      SCOPED_TRACE(function.name);
      expect_refusal(function);
    }
    EXPECT_EQ(nullptr, current_context());
  });
}

TEST(RefusedFunctions, RefuseWithAContext) {
  ASSERT_OK(aclrtSetDevice(0));
  for (const ZeroCall& function : kRefused) {
    SCOPED_TRACE(function.name);
    expect_refusal(function);
  }
  EXPECT_OK(aclrtResetDevice(0));
  clear_errors();
}

FERRY_PROCESS_TEST(RefusedFunctions, RefuseWithAWrongEnvironmentToo, "FERRY_NONSENSE=1") {
  for (const ZeroCall& function : kRefused) {
    SCOPED_TRACE(function.name);
    expect_refusal(function);
  }
}

}  // namespace
}  // namespace conformance::refused_functions_test
