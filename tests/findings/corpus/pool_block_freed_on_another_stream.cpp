// SPDX-License-Identifier: Apache-2.0
// rule: free-in-flight
// A block of a pool is freed on the stream that has filled it, while another stream still copies
// from it: the free is ordered behind the work of its own stream only.
#include "corpus.h"

using namespace corpus;

int main() {
  Device device;
  PinnedMemory result(kPage);
  Stream maker;
  Stream user;
  Event is_made;
  Event is_used;
  const Pool pool;
  void* block = pool.allocate(kPage, maker);
  need(aclrtMemsetAsync(block, kPage, 1, kPage, maker));
  need(aclrtRecordEvent(is_made, maker));
  need(aclrtStreamWaitEvent(user, is_made));
  need(aclrtMemcpyAsync(result, kPage, block, kPage, ACL_MEMCPY_DEVICE_TO_HOST, user));
  need(aclrtRecordEvent(is_used, user));
  need(aclrtMemPoolFreeAsync(block, maker));
  need(aclrtSynchronizeStream(maker));
  aclrtSynchronizeStream(user);
  return 0;
}
