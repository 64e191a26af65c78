// SPDX-License-Identifier: Apache-2.0
// Shared by the tests of companion libraries: checks of codes with their texts.
#pragma once

#include "acl/acl.h"

#include <gtest/gtest.h>

#include <string>

namespace companion_tests {

constexpr aclError kBadArgument = 100000;
constexpr aclError kRefused = 500004;

// A number that may be none of the enum's.
template <class Enum>
Enum as_enum(int number) {
  return static_cast<Enum>(number);
}

inline std::string recent_text() {
  const char* const text = aclGetRecentErrMsg();
  return text == nullptr ? "" : text;
}

// Whether a text was recorded that begins with the function of the call, and last error is
// untouched.
inline ::testing::AssertionResult has_text(const char* call) {
  const std::string name(call, std::string(call).find('('));
  const std::string text = recent_text();
  if (text.find(name + ": ") != 0) {
    return ::testing::AssertionFailure() << "the text of " << name << " is: " << text;
  }
  if (aclrtPeekAtLastError(ACL_RT_THREAD_LEVEL) != ACL_SUCCESS) {
    return ::testing::AssertionFailure() << name << " has set the last error";
  }
  return ::testing::AssertionSuccess();
}

}  // namespace companion_tests

#define EXPECT_FAILS(code, call)                     \
  do {                                               \
    EXPECT_EQ(code, call);                           \
    EXPECT_TRUE(::companion_tests::has_text(#call)); \
  } while (false)
#define EXPECT_OK(call) EXPECT_EQ(0, call)
#define ASSERT_OK(call) ASSERT_EQ(0, call)
