// SPDX-License-Identifier: Apache-2.0
// rule: none
// A workspace that is filled on a stream is freed by the call that waits for the device first.
#include "corpus.h"

using namespace corpus;

namespace {

constexpr size_t kBytes = 4 * kPage;

}  // namespace

int main() {
  Device device;
  Stream stream;
  void* workspace = nullptr;
  need(aclrtMalloc(&workspace, kBytes, ACL_MEM_MALLOC_HUGE_FIRST));
  need(aclrtMemsetAsync(workspace, kBytes, 0, kBytes, stream));
  need(aclrtFreeWithDevSync(workspace));
  need(aclrtSynchronizeStream(stream));
  return 0;
}
