// SPDX-License-Identifier: Apache-2.0
// Device-wide waits cover the streams that exist when the call is made.
#include "core/synchronize.h"

#include "core/stream.h"

namespace ferry {

Status synchronize_device(Device& device, const WaitLimit& limit) {
  Status latest_failure;
  for (const Ref<Stream>& stream : device.all_streams()) {
    // The failure stays for the thread that works with the stream.
    const Status status = stream->synchronize(limit, Stream::Failure::kKeep);
    if (status.code() == ACL_ERROR_RT_STREAM_SYNC_TIMEOUT) return status;
    if (!status.ok()) latest_failure = status;
  }
  return latest_failure;
}

}  // namespace ferry
