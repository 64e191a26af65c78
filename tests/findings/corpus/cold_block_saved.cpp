// SPDX-License-Identifier: Apache-2.0
// rule: uninitialised-read
// A block of the cache that no request has filled is written to disk.
#include "corpus.h"

using namespace corpus;

int main() {
  Device device;
  DeviceMemory cache(4 * kPage, Contents::kNone);
  PinnedMemory saved(kPage);
  Stream stream;
  need(aclrtMemcpyAsync(saved, kPage, cache + 2 * kPage, kPage, ACL_MEMCPY_DEVICE_TO_HOST, stream));
  need(aclrtSynchronizeStream(stream));
  return 0;
}
