// SPDX-License-Identifier: Apache-2.0
// Filling memory with a byte or a 32-bit value, during the call or queued on a stream.
#pragma once

#include "base/status.h"
#include "core/stream.h"

#include <cstdint>

namespace ferry {

struct FillRequest {
  void* dst = nullptr;
  uint64_t size = 0;   // bytes
  uint32_t value = 0;  // only the low 8 bits when width is 1
  uint32_t width = 1;  // 1 or 4
};

// Fills on the calling thread, which needs a context. 107030 when a capture forbids it.
Status fill_now(const FillRequest& request);
// The same for host memory in an asynchronous call, whatever is captured.
Status fill_host_memory(const FillRequest& request);

// Device memory: queued. Host memory: filled during the call, not ordered with the stream.
Status fill_async(const FillRequest& request, Stream& stream);

}  // namespace ferry
