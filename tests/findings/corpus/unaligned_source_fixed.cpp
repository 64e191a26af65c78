// SPDX-License-Identifier: Apache-2.0
// rule: none
// options: --rules unaligned
// The tokens of a request begin 64 bytes after the start of a pinned array.
#include "corpus.h"

using namespace corpus;

int main() {
  Device device;
  DeviceMemory target(kPage);
  PinnedMemory message(2 * kPage);
  Stream stream;
  const size_t header = 64;
  need(aclrtMemcpyAsync(target, kPage, message + header, 256, ACL_MEMCPY_HOST_TO_DEVICE, stream));
  need(aclrtSynchronizeStream(stream));
  return 0;
}
