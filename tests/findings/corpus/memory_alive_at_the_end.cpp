// SPDX-License-Identifier: Apache-2.0
// rule: leak
// Blocks are allocated for each request, and those of cancelled requests are never freed.
#include "corpus.h"

using namespace corpus;

int main() {
  Device device;
  for (int request = 0; request < 10; ++request) {
    void* block = nullptr;
    need(aclrtMalloc(&block, kPage, ACL_MEM_MALLOC_HUGE_FIRST));
    const bool is_cancelled = request % 3 == 0;
    if (is_cancelled) continue;
    need(aclrtFree(block));
  }
  return 0;
}
