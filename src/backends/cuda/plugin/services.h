// SPDX-License-Identifier: Apache-2.0
// Runtime services: the functions that the runtime offers to this backend, for all its files.
#pragma once

#include "backends/cuda/plugin/cuda_error.h"

#include "ferry/backend.h"

#include <chrono>
#include <cstddef>
#include <cstdint>

namespace ferry::cuda {

using Clock = std::chrono::steady_clock;

// Set by check_settings and open, before any other function of the backend runs.
extern const ferryx_runtime* services;

// Records the text for the calling thread and returns `code`.
[[gnu::cold, gnu::format(printf, 2, 3)]] int fail(int code, const char* format, ...);

// The same for an error of CUDA; 0 when there is none.
inline int fail(const Trouble& trouble) {
  return trouble.ok() ? 0 : services->fail(trouble.code, trouble.text.c_str());
}

// Copies host memory of the program with the CPU. Returns nullptr, or an address that could not be
// accessed, at which the copying ended. Where no runtime or an older one is above, such an address
// ends the process.
const void* move_bytes(const ferryx_copy* items, size_t count);

// When a timeout that starts now expires. Clock::time_point::max(): never.
Clock::time_point deadline_after(int64_t timeout);

}  // namespace ferry::cuda
