// SPDX-License-Identifier: Apache-2.0
// rule: none
// A sequence length is incremented after its copy is done.
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
  need(aclrtSynchronizeStream(stream));
  ++lengths[100];
  need(aclrtSynchronizeStream(stream));
  return 0;
}
