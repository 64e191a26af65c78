// SPDX-License-Identifier: Apache-2.0
// Calls any function of the interface with zeros for all arguments, for tables of functions. The
// script check_refused.py ensures that such tables are complete. Header only.
#pragma once

#include "support/conformance.h"

#include <type_traits>

namespace conformance {

// The result of a call as a number; NULL and void are 0.
struct ZeroCallResult {
  bool is_code = false;  // whether the function returns an aclError
  uint64_t value = 0;
};

template <class Result, class... Arguments>
ZeroCallResult call_with_zeros(Result (*function)(Arguments...)) {
  if constexpr (std::is_void_v<Result>) {
    function(Arguments{}...);
    return {};
  } else {
    const Result result = function(Arguments{}...);
    ZeroCallResult answer;
    answer.is_code = std::is_same_v<Result, aclError>;
    if constexpr (std::is_pointer_v<Result>) {
      answer.value = reinterpret_cast<uintptr_t>(result);
    } else {
      answer.value = static_cast<uint64_t>(result);
    }
    return answer;
  }
}

// One line of a table: a name, and the call of exactly that function.
struct ZeroCall {
  const char* name;
  ZeroCallResult (*call)();
};

template <auto Function>
ZeroCallResult zeros() {
  return call_with_zeros(Function);
}

}  // namespace conformance
