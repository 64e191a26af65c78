// SPDX-License-Identifier: Apache-2.0
// rule: none
// A blocking copy reads what an asynchronous one has delivered.
#include "corpus.h"

using namespace corpus;

namespace {

constexpr size_t kBytes = 4 * kPage;

}  // namespace

int main() {
  Device device;
  DeviceMemory block(kBytes);
  PinnedMemory source(kBytes);
  std::vector<char> result(kBytes);
  Stream stream;
  need(aclrtMemcpyAsync(block, kBytes, source, kBytes, ACL_MEMCPY_HOST_TO_DEVICE, stream));
  need(aclrtSynchronizeStream(stream));
  need(aclrtMemcpy(result.data(), kBytes, block, kBytes, ACL_MEMCPY_DEVICE_TO_HOST));
  need(aclrtSynchronizeStream(stream));
  return 0;
}
