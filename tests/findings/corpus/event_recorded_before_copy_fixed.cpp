// SPDX-License-Identifier: Apache-2.0
// rule: none
// The event that signals "the buffer is free" is recorded behind the copy.
#include "corpus.h"

using namespace corpus;

namespace {

constexpr size_t kBytes = 4 * kPage;

}  // namespace

int main() {
  Device device;
  DeviceMemory target(kBytes);
  PinnedMemory buffer(kBytes);
  Event is_free;
  Stream stream;
  std::memset(buffer, 1, kBytes);
  need(aclrtMemcpyAsync(target, kBytes, buffer, kBytes, ACL_MEMCPY_HOST_TO_DEVICE, stream));
  need(aclrtRecordEvent(is_free, stream));
  need(aclrtSynchronizeEvent(is_free));
  std::memset(buffer, 2, kBytes);
  need(aclrtSynchronizeStream(stream));
  return 0;
}
