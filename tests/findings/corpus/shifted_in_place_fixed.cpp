// SPDX-License-Identifier: Apache-2.0
// rule: none
// A window of the cache is moved forward block by block, in order.
#include "corpus.h"

using namespace corpus;

int main() {
  Device device;
  DeviceMemory cache(9 * kPage);
  Stream stream;
  for (size_t i = 0; i < 8; ++i)
    need(aclrtMemcpyAsync(cache + i * kPage, kPage, cache + (i + 1) * kPage, kPage,
                          ACL_MEMCPY_DEVICE_TO_DEVICE, stream));
  need(aclrtSynchronizeStream(stream));
  return 0;
}
