// SPDX-License-Identifier: Apache-2.0
// What the runtime offers to this backend, reachable from all its files.
#pragma once

#include "backends/cuda/plugin/cuda_error.h"

#include "ferry/backend.h"

#include <chrono>
#include <cstdint>

namespace ferry::cuda {

using Clock = std::chrono::steady_clock;

// Set once by open(), before anything else of the backend runs.
extern const ferryx_host* host;

// Records the text for the calling thread and returns `code`.
[[gnu::cold, gnu::format(printf, 2, 3)]] int fail(int code, const char* format, ...);

// The same for what CUDA said; 0 when it said nothing.
int fail(const Trouble& trouble);

// When a wait of the seam that starts now is over. Clock::time_point::max() for one without end.
Clock::time_point deadline_after(int64_t timeout);

}  // namespace ferry::cuda
