// SPDX-License-Identifier: Apache-2.0
// Copying past the caches, for copies so large that what they write would be evicted before it is
// read. Non-temporal stores save the read of every line that is written.
#pragma once

#include <cstddef>
#include <cstdint>

namespace ferry::cpu {

// A copy of at least this many bytes leaves nothing useful in the caches of this machine.
uint64_t cache_size();

// Copies ranges that do not overlap. Other threads see the result only after end_stream_copies().
void stream_copy(void* dst, const void* src, size_t size);

// Orders the stores of earlier stream copies before later stores of the calling thread.
void end_stream_copies();

}  // namespace ferry::cpu
