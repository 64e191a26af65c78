// SPDX-License-Identifier: Apache-2.0
// The copies that the baselines are made of.
#pragma once

#include <cstddef>

namespace ferry::bench {

using CopyKernel = void (*)(std::byte* to, const std::byte* from, size_t bytes);

/// memcpy of the C library.
void copy_plain(std::byte* to, const std::byte* from, size_t bytes);

/// Stores that go past the caches, as wide as this processor has them (up to AVX2).
void copy_non_temporal(std::byte* to, const std::byte* from, size_t bytes);

}  // namespace ferry::bench
