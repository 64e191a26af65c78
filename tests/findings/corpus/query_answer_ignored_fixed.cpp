// SPDX-License-Identifier: Apache-2.0
// rule: none
// The stream is queried until it is done.
#include "corpus.h"

using namespace corpus;

namespace {

constexpr size_t kBytes = 4 * kPage;

}  // namespace

int main() {
  Device device;
  DeviceMemory target(kBytes);
  PinnedMemory buffer(kBytes);
  Stream stream;
  need(aclrtMemcpyAsync(target, kBytes, buffer, kBytes, ACL_MEMCPY_HOST_TO_DEVICE, stream));
  aclrtStreamStatus status = ACL_STREAM_STATUS_NOT_READY;
  need(aclrtStreamQuery(stream, &status));
  while (status != ACL_STREAM_STATUS_COMPLETE)
    need(aclrtStreamQuery(stream, &status));
  std::memset(buffer, 2, kBytes);
  need(aclrtSynchronizeStream(stream));
  return 0;
}
