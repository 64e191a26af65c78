// SPDX-License-Identifier: Apache-2.0
// rule: host-write-in-flight
// The event that should signal "the buffer is free" is recorded before the copy, so waiting for it
// waits for nothing (vLLM#29288).
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
  need(aclrtRecordEvent(is_free, stream));
  need(aclrtMemcpyAsync(target, kBytes, buffer, kBytes, ACL_MEMCPY_HOST_TO_DEVICE, stream));
  need(aclrtSynchronizeEvent(is_free));
  std::memset(buffer, 2, kBytes);
  need(aclrtSynchronizeStream(stream));
  return 0;
}
