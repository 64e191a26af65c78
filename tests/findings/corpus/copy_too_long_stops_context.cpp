// SPDX-License-Identifier: Apache-2.0
// rule: out-of-bounds
// A copy that is too long stops its context, as the program has requested. Copies on other streams
// are dropped with it: their memory may be reused once the failure has been returned.
#include "corpus.h"

using namespace corpus;

namespace {

constexpr size_t kBytes = 4 * kPage;

}  // namespace

int main() {
  Device device;
  DeviceMemory target(kBytes);
  DeviceMemory other_target(kBytes);
  PinnedMemory source(2 * kBytes);
  PinnedMemory result(kBytes);
  Stream stream;
  Stream other;
  need(aclrtSetStreamFailureMode(stream, ACL_STOP_ON_FAILURE));
  need(aclrtMemcpyAsync(result, kBytes, other_target, kBytes, ACL_MEMCPY_DEVICE_TO_HOST, other));
  need(aclrtMemcpyAsync(target, 2 * kBytes, source, 2 * kBytes, ACL_MEMCPY_HOST_TO_DEVICE, stream));
  if (aclrtSynchronizeStream(stream) == ACL_SUCCESS) return 3;
  std::memset(source, 1, 2 * kBytes);
  use(result[kPage]);
  return 0;
}
