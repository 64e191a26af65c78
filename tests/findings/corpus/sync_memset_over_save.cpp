// SPDX-License-Identifier: Apache-2.0
// rule: sync-copy-race
// A block is cleared by a blocking call while the copy that saves it is queued.
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
  need(aclrtMemset(block, kBytes, 0, kBytes));
  need(aclrtSynchronizeStream(stream));
  return 0;
}
