// SPDX-License-Identifier: Apache-2.0
// rule: none
// Blocks are allocated for each request and freed, even when it is cancelled.
#include "corpus.h"

using namespace corpus;

int main() {
  Device device;
  for (int request = 0; request < 10; ++request) {
    void* block = nullptr;
    need(aclrtMalloc(&block, kPage, ACL_MEM_MALLOC_HUGE_FIRST));
    need(aclrtFree(block));
  }
  return 0;
}
