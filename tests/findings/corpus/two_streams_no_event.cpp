// SPDX-License-Identifier: Apache-2.0
// rule: stream-race
// A block is loaded on one stream and used on another, and nothing makes the second wait
// (vLLM#46951).
#include "corpus.h"

using namespace corpus;

namespace {

constexpr size_t kBytes = 4 * kPage;

}  // namespace

int main() {
  Device device;
  DeviceMemory block(kBytes);
  PinnedMemory source(kBytes);
  PinnedMemory result(kBytes);
  Event loaded;
  Stream load;
  Stream compute;
  need(aclrtMemcpyAsync(block, kBytes, source, kBytes, ACL_MEMCPY_HOST_TO_DEVICE, load));
  need(aclrtMemcpyAsync(result, kBytes, block, kBytes, ACL_MEMCPY_DEVICE_TO_HOST, compute));
  need(aclrtSynchronizeStream(load));
  need(aclrtSynchronizeStream(compute));
  return 0;
}
