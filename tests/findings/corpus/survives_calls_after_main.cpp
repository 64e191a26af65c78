// SPDX-License-Identifier: Apache-2.0
// rule: unsynchronised-end
// An exit handler registered before the first call runs after all clean-up of the runtime, and
// still destroys a stream with work on it.
#include "corpus.h"

using namespace corpus;

namespace {

aclrtStream stream = nullptr;

}  // namespace

int main() {
  std::atexit([] { need(aclrtDestroyStream(stream)); });
  need(aclrtSetDevice(0));
  void* target = nullptr;
  need(aclrtMalloc(&target, kPage, ACL_MEM_MALLOC_NORMAL_ONLY));
  need(aclrtCreateStream(&stream));
  need(aclrtMemsetAsync(target, kPage, 1, kPage, stream));
}
