// SPDX-License-Identifier: Apache-2.0
// rule: unsynchronised-end
// A stream is destroyed by force while work is queued on it: what has not begun never runs.
#include "corpus.h"

using namespace corpus;

int main() {
  Device device;
  DeviceMemory block(kPage);
  PinnedMemory source(kPage);
  aclrtStream stream = nullptr;
  need(aclrtCreateStream(&stream));
  need(aclrtMemcpyAsync(block, kPage, source, kPage, ACL_MEMCPY_HOST_TO_DEVICE, stream));
  need(aclrtDestroyStreamForce(stream));
  return 0;
}
