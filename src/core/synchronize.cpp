// SPDX-License-Identifier: Apache-2.0
// Device-wide waits cover the streams that exist when the call is made.
#include "core/synchronize.h"

#include "core/stream.h"

#include <algorithm>
#include <chrono>

namespace ferry {
namespace {

using Clock = std::chrono::steady_clock;

int64_t time_left(Clock::time_point start, int64_t timeout) {
  if (timeout == FERRYX_FOREVER) return timeout;
  const auto used = std::chrono::duration_cast<std::chrono::nanoseconds>(Clock::now() - start);
  return std::max<int64_t>(timeout - used.count(), 0);
}

}  // namespace

Status synchronize_device(Device& device, int64_t timeout) {
  const Clock::time_point start = Clock::now();
  Status latest_failure;
  for (const Ref<Stream>& stream : device.all_streams()) {
    const Status status = stream->synchronize(time_left(start, timeout));
    if (status.code() == ACL_ERROR_RT_STREAM_SYNC_TIMEOUT) return status;
    if (!status.ok()) latest_failure = status;
  }
  return latest_failure;
}

}  // namespace ferry
