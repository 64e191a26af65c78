// SPDX-License-Identifier: Apache-2.0
// rule: use-after-free
// One block of a batch belongs to a pool that was freed when the cache shrank.
#include "corpus.h"

using namespace corpus;

int main() {
  Device device;
  DeviceMemory kept(4 * kPage);
  PinnedMemory host(5 * kPage);
  Batch batch;
  for (size_t i = 0; i < 4; ++i)
    batch.add(kept + i * kPage, host + (3 - i) * kPage, kPage);
  void* dropped = nullptr;
  need(aclrtMalloc(&dropped, kPage, ACL_MEM_MALLOC_HUGE_FIRST));
  batch.add(dropped, host + 4 * kPage, kPage);
  need(aclrtFree(dropped));
  batch.copy_to_device();
  return 0;
}
