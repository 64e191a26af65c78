// SPDX-License-Identifier: Apache-2.0
// Error texts with their function names, and the last error.
#include "base/error_state.h"

#include "base/status.h"

#include <gtest/gtest.h>
#include <pthread.h>

#include <cerrno>
#include <climits>
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
  const Status status =
      reject(ACL_ERROR_RT_PARAM_INVALID, kEE1003, "count", 64).allowed("0 to destMax = %d", 63);
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
  static_cast<void>(fail(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, kNoMessageCode, "a"));
  static_cast<void>(fail(ACL_ERROR_INVALID_PARAM, kNoMessageCode, "b"));
  static_cast<void>(fail(ACL_ERROR_BAD_ALLOC, kNoMessageCode, "c"));
  static_cast<void>(reject(ACL_ERROR_RT_PARAM_INVALID, kNoMessageCode).unlogged().because("d"));
  EXPECT_EQ(peek_last_error(), ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
  EXPECT_EQ(take_last_error(), ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
  EXPECT_EQ(take_last_error(), ACL_SUCCESS);
}

TEST_F(ErrorState, LongTextsAreCutNotOverrun) {
  const std::string huge(5000, 'x');
  static_cast<void>(fail(ACL_ERROR_RT_PARAM_INVALID, kEE1003, "%s", huge.c_str()));
  EXPECT_LT(std::string(take_recent_text()).size(), 1024u);
}

TEST_F(ErrorState, TheRecentErrorStaysWhenItsTextIsTaken) {
  const CallScope scope("aclrtFree");
  static_cast<void>(fail_null("devPtr"));
  EXPECT_STREQ(take_recent_text(), "aclrtFree: devPtr is NULL (EH0008)");
  EXPECT_EQ(recent_error().code, ACL_ERROR_INVALID_PARAM);
  EXPECT_STREQ(recent_error().argument(), "devPtr");
  std::thread([] { EXPECT_EQ(recent_error().code, ACL_SUCCESS); }).join();
}

// The error itself is where the thread keeps it: little more than the frames of printf is needed.
TEST_F(ErrorState, AThreadWithASmallStackCanFail) {
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  ASSERT_EQ(0, pthread_attr_setstacksize(&attributes, static_cast<size_t>(PTHREAD_STACK_MIN)));
  pthread_t thread{};
  const auto fail_deep = [](void*) -> void* {
    static_cast<void>(
        reject(ACL_ERROR_RT_PARAM_INVALID, kEE1003, {"dsts", 3}, 7).allowed("%s", "8"));
    return take_recent_text() != nullptr ? &errno : nullptr;
  };
  ASSERT_EQ(0, pthread_create(&thread, &attributes, fail_deep, nullptr));
  void* result = nullptr;
  pthread_join(thread, &result);
  pthread_attr_destroy(&attributes);
  EXPECT_NE(result, nullptr);
}

TEST_F(ErrorState, ThreadsKeepTheirOwnUnlessTheProcessShares) {
  const auto fail_elsewhere = [] {
    std::thread([] {
      static_cast<void>(fail(ACL_ERROR_RT_PARAM_INVALID, kNoMessageCode, "elsewhere"));
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
