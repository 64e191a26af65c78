// SPDX-License-Identifier: Apache-2.0
// rule: free-in-flight
// A workspace is filled on a stream and freed at once, as if the fill were complete.
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
  need(aclrtFree(workspace));
  aclrtSynchronizeStream(stream);
  return 0;
}
