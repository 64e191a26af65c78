// SPDX-License-Identifier: Apache-2.0
// rule: none
// A stream is destroyed when nothing uses it any more.
#include "corpus.h"

using namespace corpus;

int main() {
  Device device;
  DeviceMemory block(kPage);
  PinnedMemory source(kPage);
  aclrtStream stream = nullptr;
  need(aclrtCreateStream(&stream));
  aclrtStream kept = stream;
  aclrtMemcpyAsync(block, kPage, source, kPage, ACL_MEMCPY_HOST_TO_DEVICE, kept);
  need(aclrtSynchronizeStream(stream));
  need(aclrtDestroyStream(stream));
  return 0;
}
