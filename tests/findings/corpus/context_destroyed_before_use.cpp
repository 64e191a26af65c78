// SPDX-License-Identifier: Apache-2.0
// rule: no-context
// Clean-up code destroys the current context too early; the next call has none.
#include "corpus.h"

using namespace corpus;

int main() {
  need(aclInit(nullptr));
  aclrtContext context = nullptr;
  need(aclrtCreateContext(&context, 0));
  need(aclrtDestroyContext(context));
  void* memory = nullptr;
  if (aclrtMalloc(&memory, kPage, ACL_MEM_MALLOC_HUGE_FIRST) == ACL_SUCCESS)
    need(aclrtFree(memory));
  need(aclFinalize());
  return 0;
}
