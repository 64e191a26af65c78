// SPDX-License-Identifier: Apache-2.0
// The end of a thread (pthread_exit, pthread_cancel) unwinds its stack with an exception that has
// no object: a handler for it binds a reference to nothing, which UndefinedBehaviorSanitizer
// reports. Functions with such a handler carry these attributes; inlined they would lose the other.
// The handler must throw again.
#pragma once

#include <cxxabi.h>

#define FERRY_CATCHES_FORCED_UNWIND __attribute__((noinline, no_sanitize("null")))
