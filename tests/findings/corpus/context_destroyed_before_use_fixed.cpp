// SPDX-License-Identifier: Apache-2.0
// rule: none
// The current context is destroyed when nothing needs it any more.
#include "corpus.h"

using namespace corpus;

int main() {
  need(aclInit(nullptr));
  aclrtContext context = nullptr;
  need(aclrtCreateContext(&context, 0));
  void* memory = nullptr;
  if (aclrtMalloc(&memory, kPage, ACL_MEM_MALLOC_HUGE_FIRST) == ACL_SUCCESS)
    need(aclrtFree(memory));
  need(aclrtDestroyContext(context));
  need(aclFinalize());
  return 0;
}
