// SPDX-License-Identifier: Apache-2.0
// The checks of argument_checks.h for functions that also look for a context: each call is made on
// a thread of its own, which has the context or none. Header only.
#pragma once

#include "support/argument_checks.h"

namespace conformance {

// `Arguments` has a member bool has_context. The valid ones have it true.
template <class Arguments, class Call>
void expect_checked_with_context(const char* function, const Arguments& valid, Call call,
                                 const std::vector<ArgumentCheck<Arguments>>& checks) {
  aclrtContext context = nullptr;
  EXPECT_OK(aclrtGetCurrentContext(&context));
  for (auto first = checks.begin(); first != checks.end(); ++first) {
    for (auto second = first; second != checks.end(); ++second) {
      on_new_thread([&] {
        SCOPED_TRACE(std::string(first->what) + ", " + second->what);
        Arguments arguments = valid;
        second->violate(arguments);
        first->violate(arguments);
        if (arguments.has_context) {
          EXPECT_OK(aclrtSetCurrentContext(context));
        }
        clear_errors();
        EXPECT_TRUE(fails_as("", "", function, first->code, first->message_code, call(arguments)));
        expect_last_error_of(first->code);
      });
    }
  }
}

}  // namespace conformance
