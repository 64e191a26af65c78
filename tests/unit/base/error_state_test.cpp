// SPDX-License-Identifier: Apache-2.0
// Error texts with their function names, and the last error.
#include "base/error_state.h"

#include "base/status.h"

#include <gtest/gtest.h>

#include <string>
#include <thread>

namespace ferry {
namespace {

class ErrorState : public ::testing::Test {
 protected:
  void SetUp() override {
    take_recent_text();
    take_last_error();
  }
};

TEST_F(ErrorState, TextNamesFunctionAndMessageCode) {
  const CallScope scope("aclrtMemcpyAsync");
  const Status status = fail(ACL_ERROR_RT_PARAM_INVALID, MessageCode::kEE1003,
                             "count is %d, allowed is 0 to destMax = %d", 64, 63);
  EXPECT_EQ(status.code(), 107000);
  EXPECT_STREQ(take_recent_text(),
               "aclrtMemcpyAsync: count is 64, allowed is 0 to destMax = 63 (EE1003)");
  EXPECT_EQ(take_recent_text(), nullptr) << "reading the text clears it";
}

TEST_F(ErrorState, ScopesNest) {
  const CallScope outer("outer");
  {
    const CallScope inner("inner");
    EXPECT_STREQ(current_function(), "inner");
  }
  EXPECT_STREQ(current_function(), "outer");
}

TEST_F(ErrorState, OnlyRuntimeCodesBecomeTheLastError) {
  static_cast<void>(fail(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, MessageCode::kNone, "a"));
  static_cast<void>(fail(ACL_ERROR_INVALID_PARAM, MessageCode::kNone, "b"));
  static_cast<void>(fail(ACL_ERROR_BAD_ALLOC, MessageCode::kNone, "c"));
  static_cast<void>(fail_unlogged(ACL_ERROR_RT_PARAM_INVALID, MessageCode::kNone, "d"));
  EXPECT_EQ(peek_last_error(), ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
  EXPECT_EQ(take_last_error(), ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
  EXPECT_EQ(take_last_error(), ACL_SUCCESS);
}

TEST_F(ErrorState, LongTextsAreCutNotOverrun) {
  const std::string huge(5000, 'x');
  static_cast<void>(fail(ACL_ERROR_RT_PARAM_INVALID, MessageCode::kEE1003, "%s", huge.c_str()));
  EXPECT_LT(std::string(take_recent_text()).size(), 1024u);
}

TEST_F(ErrorState, ThreadsKeepTheirOwnUnlessTheProcessShares) {
  const auto fail_elsewhere = [] {
    std::thread([] {
      static_cast<void>(fail(ACL_ERROR_RT_PARAM_INVALID, MessageCode::kNone, "elsewhere"));
    }).join();
  };
  fail_elsewhere();
  EXPECT_EQ(take_recent_text(), nullptr);
  set_text_scope(TextScope::kProcess);
  fail_elsewhere();
  const char* text = take_recent_text();
  set_text_scope(TextScope::kThread);
  ASSERT_NE(text, nullptr);
  EXPECT_NE(std::string(text).find("elsewhere"), std::string::npos);
  EXPECT_EQ(peek_last_error(), ACL_SUCCESS) << "the last error stays per thread";
}

}  // namespace
}  // namespace ferry
