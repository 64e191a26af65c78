// SPDX-License-Identifier: Apache-2.0
// rule: none
// A block table names each block once.
#include "corpus.h"

using namespace corpus;

int main() {
  Device device;
  DeviceMemory cache(8 * kPage);
  PinnedMemory host(4 * kPage);
  Stream stream;
  const size_t table[4] = {6, 1, 3, 5};
  Batch batch;
  for (size_t i = 0; i < 4; ++i)
    batch.add(cache + table[i] * kPage, host + i * kPage, kPage);
  need(batch.queue_to_device(stream));
  need(aclrtSynchronizeStream(stream));
  return 0;
}
