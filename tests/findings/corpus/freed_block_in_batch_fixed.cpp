// SPDX-License-Identifier: Apache-2.0
// rule: none
// The pool of every block of a batch lives until the batch is done.
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
  batch.copy_to_device();
  need(aclrtFree(dropped));
  return 0;
}
