// SPDX-License-Identifier: Apache-2.0
// Errors of calls that were refused.
#include "layers/check/rules/refusal.h"

#include "base/error_state.h"

#include <string_view>

namespace ferry::layers::check {

const Error& refusal_of(const Call& call) {
  static constexpr Error kNone;
  const Error& recent = recent_error();
  return std::string_view(recent.function) == call.name() ? recent : kNone;
}

std::string refusal_text(const Call& call) {
  const Error& error = refusal_of(call);
  return std::string(call.name()) + ": " +
         (error.code != ACL_SUCCESS ? error.sentence() : "the call was refused");
}

}  // namespace ferry::layers::check
