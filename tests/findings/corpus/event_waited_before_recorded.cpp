// SPDX-License-Identifier: Apache-2.0
// rule: stream-race
// A stream waits for an event that is recorded only afterwards: such a wait ends at once.
#include "corpus.h"

using namespace corpus;

namespace {

constexpr size_t kBytes = 4 * kPage;

}  // namespace

int main() {
  Device device;
  DeviceMemory block(kBytes);
  PinnedMemory source(kBytes);
  PinnedMemory result(kBytes);
  Event loaded;
  Stream load;
  Stream compute;
  need(aclrtStreamWaitEvent(compute, loaded));
  need(aclrtMemcpyAsync(block, kBytes, source, kBytes, ACL_MEMCPY_HOST_TO_DEVICE, load));
  need(aclrtRecordEvent(loaded, load));
  need(aclrtMemcpyAsync(result, kBytes, block, kBytes, ACL_MEMCPY_DEVICE_TO_HOST, compute));
  need(aclrtSynchronizeDevice());
  return 0;
}
