// SPDX-License-Identifier: Apache-2.0
// Device-wide waits cover the streams that exist when the call is made.
#include "core/synchronize.h"

#include "core/model/capture.h"
#include "core/stream.h"

namespace ferry {

Status synchronize_device(Device& device, const WaitLimit& limit) {
  if (is_anything_captured()) FERRY_RETURN_IF_ERROR(check_no_capture_in_context());
  Status latest_failure;
  for (const Ref<Stream>& stream : device.all_streams()) {
    // The failure stays for the thread that works with the stream.
    const Status status = stream->wait_for_work(limit, Stream::Failure::kKeep);
    if (status.code() == ACL_ERROR_RT_STREAM_SYNC_TIMEOUT) return status;
    if (!status.ok()) latest_failure = status;
  }
  return latest_failure;
}

}  // namespace ferry
