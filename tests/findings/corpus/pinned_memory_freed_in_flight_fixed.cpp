// SPDX-License-Identifier: Apache-2.0
// rule: none
// A pinned tensor goes out of scope when the copy from it is done.
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
    need(aclrtSynchronizeStream(stream));
  }
  aclrtSynchronizeStream(stream);
  return 0;
}
