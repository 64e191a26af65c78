// SPDX-License-Identifier: Apache-2.0
// rule: free-in-flight
// A pinned tensor goes out of scope while the copy from it is queued (vLLM#25279).
#include "corpus.h"

using namespace corpus;

namespace {

constexpr size_t kBytes = 4 * kPage;

}  // namespace

int main() {
  Device device;
  DeviceMemory target(kBytes);
  Stream stream;
  {
    PinnedMemory tensor(kBytes);
    std::memset(tensor, 1, kBytes);
    need(aclrtMemcpyAsync(target, kBytes, tensor, kBytes, ACL_MEMCPY_HOST_TO_DEVICE, stream));
  }
  aclrtSynchronizeStream(stream);
  return 0;
}
