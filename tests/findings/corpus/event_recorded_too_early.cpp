// SPDX-License-Identifier: Apache-2.0
// rule: stream-race
// The event is recorded between the copies of keys and values, and the reader needs both
// (PyTorch#174695).
#include "corpus.h"

using namespace corpus;

namespace {

constexpr size_t kBytes = 4 * kPage;

}  // namespace

int main() {
  Device device;
  DeviceMemory cache(2 * kBytes);
  PinnedMemory source(2 * kBytes);
  PinnedMemory result(2 * kBytes);
  Event loaded;
  Stream load;
  Stream reader;
  need(aclrtMemcpyAsync(cache, kBytes, source, kBytes, ACL_MEMCPY_HOST_TO_DEVICE, load));
  need(aclrtRecordEvent(loaded, load));
  need(aclrtMemcpyAsync(cache + kBytes, kBytes, source + kBytes, kBytes, ACL_MEMCPY_HOST_TO_DEVICE,
                        load));
  need(aclrtStreamWaitEvent(reader, loaded));
  need(aclrtMemcpyAsync(result, 2 * kBytes, cache, 2 * kBytes, ACL_MEMCPY_DEVICE_TO_HOST, reader));
  need(aclrtSynchronizeStream(reader));
  need(aclrtSynchronizeStream(load));
  return 0;
}
