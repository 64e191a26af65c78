// SPDX-License-Identifier: Apache-2.0
// rule: wrong-context
// A library creates a context and leaves it current; its caller's stream belongs to the previous
// one.
#include "corpus.h"

using namespace corpus;

namespace {

aclrtContext library_context = nullptr;

void library_call() {
  need(aclrtCreateContext(&library_context, 0));
  void* memory = nullptr;
  need(aclrtMalloc(&memory, kPage, ACL_MEM_MALLOC_HUGE_FIRST));
  need(aclrtFree(memory));
}

}  // namespace

int main() {
  Device device;
  Event event;
  Stream stream;
  library_call();
  aclrtRecordEvent(event, stream);
  need(aclrtDestroyContext(library_context));
  need(aclrtSetDevice(0));
  need(aclrtSynchronizeStream(stream));
  need(aclrtResetDevice(0));
  return 0;
}
