// SPDX-License-Identifier: Apache-2.0
// The checks that a function makes of its arguments, as a table in the order of the contract. Every
// check is violated alone and together with each later one: the first decides. Header only.
#pragma once

#include "support/conformance.h"

#include <functional>
#include <vector>

namespace conformance {

template <class Arguments>
struct ArgumentCheck {
  const char* what;
  // Violates the check whatever other arguments are, and none before it.
  std::function<void(Arguments&)> violate;
  aclError code;
  const char* message_code = "";  // "" where the contract names none
};

// Codes of the ACL layer, 1000xx, leave the last error alone; those of the runtime set it.
inline void expect_last_error_of(aclError code) {
  const bool is_of_the_runtime = code < 100000 || code > 100999;
  EXPECT_EQ(is_of_the_runtime ? code : ACL_SUCCESS, aclrtPeekAtLastError(ACL_RT_THREAD_LEVEL));
}

// `call` takes the arguments and returns the code of the function.
template <class Arguments, class Call>
void expect_checked_in_order(const char* function, const Arguments& valid, Call call,
                             const std::vector<ArgumentCheck<Arguments>>& checks) {
  for (auto first = checks.begin(); first != checks.end(); ++first) {
    for (auto second = first; second != checks.end(); ++second) {
      SCOPED_TRACE(std::string(first->what) + ", " + second->what);
      Arguments arguments = valid;
      second->violate(arguments);
      first->violate(arguments);
      clear_errors();
      EXPECT_TRUE(fails_as("", "", function, first->code, first->message_code, call(arguments)));
      expect_last_error_of(first->code);
    }
  }
  clear_errors();
}

}  // namespace conformance
