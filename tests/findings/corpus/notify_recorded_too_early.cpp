// SPDX-License-Identifier: Apache-2.0
// rule: stream-race
// A notify is recorded before the copy that it should announce.
#include "corpus.h"

using namespace corpus;

namespace {

constexpr size_t kBytes = 4 * kPage;

}  // namespace

int main() {
  Device device;
  DeviceMemory block(kBytes);
  PinnedMemory source(kBytes);
  PinnedMemory result(kBytes);
  Stream load;
  Stream compute;
  aclrtNotify loaded = nullptr;
  need(aclrtCreateNotify(&loaded, ACL_NOTIFY_DEFAULT));
  need(aclrtRecordNotify(loaded, load));
  need(aclrtMemcpyAsync(block, kBytes, source, kBytes, ACL_MEMCPY_HOST_TO_DEVICE, load));
  need(aclrtWaitAndResetNotify(loaded, compute, 0));
  need(aclrtMemcpyAsync(result, kBytes, block, kBytes, ACL_MEMCPY_DEVICE_TO_HOST, compute));
  need(aclrtSynchronizeStream(compute));
  need(aclrtSynchronizeStream(load));
  need(aclrtDestroyNotify(loaded));
  return 0;
}
