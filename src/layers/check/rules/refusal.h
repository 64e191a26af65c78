// SPDX-License-Identifier: Apache-2.0
// What the runtime itself said about a call that it refused.
#pragma once

#include "base/error.h"
#include "layers/check/calls/call.h"

#include <string>

namespace ferry::layers::check {

// The error the call was refused with; an empty one when the thread's latest failure is another's.
const Error& refusal_of(const Call& call);

// "aclrtMemcpyAsync: stream is 0x…, …"
std::string refusal_text(const Call& call);

}  // namespace ferry::layers::check
