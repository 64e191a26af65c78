// SPDX-License-Identifier: Apache-2.0
// The copy functions of the baselines.
#pragma once

#include <cstddef>

namespace ferry::bench {

using CopyKernel = void (*)(std::byte* to, const std::byte* from, size_t bytes);

/// The C library's memcpy.
void copy_plain(std::byte* to, const std::byte* from, size_t bytes);

/// Stores that bypass the caches, as wide as the processor supports (up to AVX2).
void copy_non_temporal(std::byte* to, const std::byte* from, size_t bytes);

}  // namespace ferry::bench
