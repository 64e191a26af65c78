// SPDX-License-Identifier: Apache-2.0
// rule: out-of-bounds
// The pinned source is shorter than the copy: the device would read past its end.
#include "corpus.h"

using namespace corpus;

int main() {
  Device device;
  DeviceMemory target(4 * kPage);
  PinnedMemory source(3 * kPage);
  Stream stream;
  need(aclrtMemcpyAsync(target, 4 * kPage, source, 4 * kPage, ACL_MEMCPY_HOST_TO_DEVICE, stream));
  aclrtSynchronizeStream(stream);
  return 0;
}
