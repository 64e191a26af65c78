// SPDX-License-Identifier: Apache-2.0
// rule: none
// A block is cleared on the stream that saves it.
#include "corpus.h"

using namespace corpus;

namespace {

constexpr size_t kBytes = 4 * kPage;

}  // namespace

int main() {
  Device device;
  DeviceMemory block(kBytes);
  PinnedMemory saved(kBytes);
  Stream stream;
  need(aclrtMemcpyAsync(saved, kBytes, block, kBytes, ACL_MEMCPY_DEVICE_TO_HOST, stream));
  need(aclrtMemsetAsync(block, kBytes, 0, kBytes, stream));
  need(aclrtSynchronizeStream(stream));
  return 0;
}
