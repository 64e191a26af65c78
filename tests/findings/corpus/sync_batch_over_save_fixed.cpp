// SPDX-License-Identifier: Apache-2.0
// rule: none
// A blocking batch loads blocks into places that were saved before.
#include "corpus.h"

using namespace corpus;

namespace {

constexpr size_t kBlocks = 8;

}  // namespace

int main() {
  Device device;
  DeviceMemory cache(kBlocks * kPage);
  PinnedMemory saved(kBlocks * kPage);
  PinnedMemory fresh(kBlocks * kPage);
  Stream stream;
  Batch save;
  Batch load;
  for (size_t i = 0; i < kBlocks; ++i) {
    save.add(saved + (kBlocks - 1 - i) * kPage, cache + i * kPage, kPage);
    load.add(cache + i * kPage, fresh + (kBlocks - 1 - i) * kPage, kPage);
  }
  need(save.queue_to_host(stream));
  need(aclrtSynchronizeStream(stream));
  need(load.copy_to_device());
  need(aclrtSynchronizeStream(stream));
  return 0;
}
