// SPDX-License-Identifier: Apache-2.0
// rule: unaligned
// options: --rules unaligned
// The tokens of a request begin 4 bytes after a length in one pinned array: the address of the
// source is not a multiple of 64.
#include "corpus.h"

using namespace corpus;

int main() {
  Device device;
  DeviceMemory target(kPage);
  PinnedMemory message(2 * kPage);
  Stream stream;
  const size_t header = 4;
  need(aclrtMemcpyAsync(target, kPage, message + header, 256, ACL_MEMCPY_HOST_TO_DEVICE, stream));
  need(aclrtSynchronizeStream(stream));
  return 0;
}
