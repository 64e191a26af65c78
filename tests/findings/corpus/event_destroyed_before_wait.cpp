// SPDX-License-Identifier: Apache-2.0
// rule: stale-handle
// An event is destroyed after its record and waited for afterwards: there is no wait, and no order.
#include "corpus.h"

using namespace corpus;

int main() {
  Device device;
  DeviceMemory block(kPage);
  PinnedMemory source(kPage);
  Stream load;
  Stream compute;
  aclrtEvent loaded = nullptr;
  need(aclrtCreateEvent(&loaded));
  need(aclrtMemcpyAsync(block, kPage, source, kPage, ACL_MEMCPY_HOST_TO_DEVICE, load));
  need(aclrtRecordEvent(loaded, load));
  need(aclrtDestroyEvent(loaded));
  aclrtStreamWaitEvent(compute, loaded);
  need(aclrtSynchronizeStream(load));
  need(aclrtSynchronizeStream(compute));
  return 0;
}
