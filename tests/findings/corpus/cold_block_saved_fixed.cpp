// SPDX-License-Identifier: Apache-2.0
// rule: none
// The blocks of the cache are cleared before anything reads them.
#include "corpus.h"

using namespace corpus;

int main() {
  Device device;
  DeviceMemory cache(4 * kPage, Contents::kNone);
  PinnedMemory saved(kPage);
  Stream stream;
  need(aclrtMemsetAsync(cache, 4 * kPage, 0, 4 * kPage, stream));
  need(aclrtMemcpyAsync(saved, kPage, cache + 2 * kPage, kPage, ACL_MEMCPY_DEVICE_TO_HOST, stream));
  need(aclrtSynchronizeStream(stream));
  return 0;
}
