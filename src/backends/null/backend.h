// SPDX-License-Identifier: Apache-2.0
// The null backend: devices that move no bytes. Every call succeeds at once or fails on demand, so
// that the code above a backend can be tested without a device that really fails.
#pragma once

#include "ferry/backend.h"

#include <cstdint>
#include <string_view>

namespace ferry::null {

const ferryx_backend* backend();

// The `nth` call from now of this slot, or submission of this kind of work, returns `code`; 0 means
// every call. False when there is no such name or it cannot fail.
bool fail_on_demand(std::string_view slot, uint64_t nth, int code);
void clear_failures();

}  // namespace ferry::null
