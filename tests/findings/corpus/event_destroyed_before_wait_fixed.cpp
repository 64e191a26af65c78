// SPDX-License-Identifier: Apache-2.0
// rule: none
// An event is destroyed after the wait for it was queued.
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
  aclrtStreamWaitEvent(compute, loaded);
  need(aclrtDestroyEvent(loaded));
  need(aclrtSynchronizeStream(load));
  need(aclrtSynchronizeStream(compute));
  return 0;
}
