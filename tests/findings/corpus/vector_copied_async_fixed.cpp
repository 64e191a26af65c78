// SPDX-License-Identifier: Apache-2.0
// rule: none
// The source of an asynchronous copy is pinned: the call only queues.
#include "corpus.h"

using namespace corpus;

namespace {

constexpr size_t kBytes = 4 * kPage;

}  // namespace

int main() {
  Device device;
  DeviceMemory target(kBytes);
  PinnedMemory first(kBytes);
  Stream stream;
  need(aclrtMemcpyAsync(target, kBytes, first, kBytes, ACL_MEMCPY_HOST_TO_DEVICE, stream));
  PinnedMemory second(kBytes);
  need(aclrtMemcpyAsync(target, kBytes, second, kBytes, ACL_MEMCPY_HOST_TO_DEVICE, stream));
  need(aclrtSynchronizeStream(stream));
  return 0;
}
