// SPDX-License-Identifier: Apache-2.0
// Operations on the caches of a device. Caches are always coherent here, so they change nothing;
// but they have their turn in a stream.
#pragma once

#include "base/status.h"
#include "core/stream.h"

#include <cstdint>

namespace ferry {

constexpr uint64_t kLargestCacheOperation = uint64_t{1} << 32;  // 4 GiB

// Queues a task that does nothing on a stream of the calling thread's context.
Status submit_cache_operation(Stream& stream);

// Writes a descriptor of the range into device memory, during the call.
Status write_cache_descriptor(void* descriptor, const void* address, uint64_t size);
// 107000 when it cannot be a descriptor: not aligned, or not in device memory.
Status check_cache_descriptor(const void* descriptor);

}  // namespace ferry
