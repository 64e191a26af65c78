// SPDX-License-Identifier: Apache-2.0
// rule: overlap
// A block table names the same block twice: which of the two items remains is a matter of luck.
#include "corpus.h"

using namespace corpus;

int main() {
  Device device;
  DeviceMemory cache(8 * kPage);
  PinnedMemory host(4 * kPage);
  Stream stream;
  const size_t table[4] = {6, 1, 3, 1};
  Batch batch;
  for (size_t i = 0; i < 4; ++i)
    batch.add(cache + table[i] * kPage, host + i * kPage, kPage);
  need(batch.queue_to_device(stream));
  need(aclrtSynchronizeStream(stream));
  return 0;
}
