// SPDX-License-Identifier: Apache-2.0
// Which call fails: what the functions that take the place of others ask.
#pragma once

#include "library_code.h"

namespace failures {

// Whether calls of this kind, a FailingCall, are counted.
bool is_counted(int call);

// Counts the call if it is of the kind that can fail and made by the library, and says whether it
// is one that must fail.
bool must_fail(int call, Caller& caller);

}  // namespace failures

// The place of the call: must be taken in the function that is called.
#define FAILING_CALLER ::failures::Caller(__builtin_return_address(0), __builtin_frame_address(0))
#define FAILING_EXPORT extern "C" __attribute__((visibility("default")))
