// SPDX-License-Identifier: Apache-2.0
// rule: host-write-in-flight
// places: 1
// A sequence length is copied out of the middle of a page of pinned numbers and incremented while
// the copy is queued: too small to be guarded, found by comparing (vllm-ascend#14922).
#include "corpus.h"

using namespace corpus;

int main() {
  Device device;
  DeviceMemory target(kPage);
  PinnedMemory numbers(kPage);
  auto* lengths = reinterpret_cast<int32_t*>(static_cast<char*>(numbers));
  Stream stream;
  lengths[100] = 17;
  need(aclrtMemcpyAsync(target, sizeof(int32_t), &lengths[100], sizeof(int32_t),
                        ACL_MEMCPY_HOST_TO_DEVICE, stream));
  ++lengths[100];
  need(aclrtSynchronizeStream(stream));
  return 0;
}
