// SPDX-License-Identifier: Apache-2.0
// The runtime services, for all files of this backend.
#pragma once

#include "backends/cpu/sync.h"

#include "ferry/backend.h"

namespace ferry::cpu {

using Clock = sync::Clock;

// Set once by open(), before any other function of the backend runs.
extern const ferryx_runtime* services;

// Records the text for the calling thread and returns `code`.
[[gnu::cold, gnu::format(printf, 2, 3)]] int fail(int code, const char* format, ...);

// The deadline of a wait that starts now; Clock::time_point::max() for FERRYX_FOREVER.
Clock::time_point deadline_after(int64_t timeout);

}  // namespace ferry::cpu
