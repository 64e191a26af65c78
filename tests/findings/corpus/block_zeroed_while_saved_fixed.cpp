// SPDX-License-Identifier: Apache-2.0
// rule: none
// schedule: shuffle:1
// A block is zeroed for its next owner behind the event that signals that it was saved.
#include "corpus.h"

using namespace corpus;

namespace {

constexpr size_t kBlocks = 8;

}  // namespace

int main() {
  Device device;
  DeviceMemory cache(kBlocks * kPage);
  PinnedMemory saved(kBlocks * kPage);
  Event is_saved;
  Stream save;
  Stream recycle;
  need(aclrtMemcpyAsync(saved, kBlocks * kPage, cache, kBlocks * kPage, ACL_MEMCPY_DEVICE_TO_HOST,
                        save));
  need(aclrtRecordEvent(is_saved, save));
  need(aclrtStreamWaitEvent(recycle, is_saved));
  need(aclrtMemsetAsync(cache + 3 * kPage, kPage, 0, kPage, recycle));
  need(aclrtSynchronizeStream(recycle));
  need(aclrtSynchronizeStream(save));
  return 0;
}
