// SPDX-License-Identifier: Apache-2.0
// rule: sync-copy-race
// aclrtMemsetAsync fills pinned memory during the call: it does not wait for the copy queued before
// it.
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
  need(aclrtMemsetAsync(buffer, kBytes, 1, kBytes, stream));
  need(aclrtSynchronizeStream(stream));
  return 0;
}
