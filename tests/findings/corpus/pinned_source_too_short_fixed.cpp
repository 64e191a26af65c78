// SPDX-License-Identifier: Apache-2.0
// rule: none
// The pinned source is as long as the copy.
#include "corpus.h"

using namespace corpus;

int main() {
  Device device;
  DeviceMemory target(4 * kPage);
  PinnedMemory source(4 * kPage);
  Stream stream;
  need(aclrtMemcpyAsync(target, 4 * kPage, source, 4 * kPage, ACL_MEMCPY_HOST_TO_DEVICE, stream));
  aclrtSynchronizeStream(stream);
  return 0;
}
