// SPDX-License-Identifier: Apache-2.0
// rule: overlap
// A window of the cache is moved forward by a block in place: source and target share bytes.
#include "corpus.h"

using namespace corpus;

int main() {
  Device device;
  DeviceMemory cache(9 * kPage);
  Stream stream;
  need(aclrtMemcpyAsync(cache, 8 * kPage, cache + kPage, 8 * kPage, ACL_MEMCPY_DEVICE_TO_DEVICE,
                        stream));
  need(aclrtSynchronizeStream(stream));
  return 0;
}
