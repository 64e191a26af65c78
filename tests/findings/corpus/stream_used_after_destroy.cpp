// SPDX-License-Identifier: Apache-2.0
// rule: stale-handle
// A stream is destroyed by its owner while other code keeps the handle and uses it.
#include "corpus.h"

using namespace corpus;

int main() {
  Device device;
  DeviceMemory block(kPage);
  PinnedMemory source(kPage);
  aclrtStream stream = nullptr;
  need(aclrtCreateStream(&stream));
  aclrtStream kept = stream;
  need(aclrtDestroyStream(stream));
  aclrtMemcpyAsync(block, kPage, source, kPage, ACL_MEMCPY_HOST_TO_DEVICE, kept);
  return 0;
}
