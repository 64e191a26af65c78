// SPDX-License-Identifier: Apache-2.0
// What the runtime itself said about a call that it refused.
#pragma once

#include "layers/check/calls/call.h"

#include <string>
#include <string_view>

namespace ferry::layers::check {

// "aclrtMemcpyAsync: stream is 0x…, …", without the code in brackets; for the latest failure of the
// calling thread.
std::string refusal_text(const Call& call);

// The argument such a text begins with, "stream" or "notifies[2]"; "" when there is none.
std::string_view blamed_argument(std::string_view text);

}  // namespace ferry::layers::check
