// SPDX-License-Identifier: Apache-2.0
// rule: free-in-flight
// A block of a pool is freed in stream order, and the copy out of it is queued behind the free.
#include "corpus.h"

using namespace corpus;

int main() {
  Device device;
  PinnedMemory result(kPage);
  Stream stream;
  const Pool pool;
  void* block = pool.allocate(kPage, stream);
  need(aclrtMemsetAsync(block, kPage, 1, kPage, stream));
  need(aclrtMemPoolFreeAsync(block, stream));
  need(aclrtMemcpyAsync(result, kPage, block, kPage, ACL_MEMCPY_DEVICE_TO_HOST, stream));
  aclrtSynchronizeStream(stream);
  return 0;
}
