// SPDX-License-Identifier: Apache-2.0
// rule: none
// One captured model writes what another one reads; the second stream waits for the first.
#include "corpus.h"

using namespace corpus;

namespace {

constexpr size_t kBytes = 4 * kPage;

}  // namespace

int main() {
  Device device;
  DeviceMemory shared(kBytes);
  DeviceMemory source(kBytes);
  PinnedMemory result(kBytes);
  Stream writing;
  Stream reading;
  Event written;
  Model writes(writing, [&] {
    need(aclrtMemcpyAsync(shared, kBytes, source, kBytes, ACL_MEMCPY_DEVICE_TO_DEVICE, writing));
  });
  Model reads(reading, [&] {
    need(aclrtMemcpyAsync(result, kBytes, shared, kBytes, ACL_MEMCPY_DEVICE_TO_HOST, reading));
  });
  need(aclmdlRIExecuteAsync(writes, writing));
  need(aclrtRecordEvent(written, writing));
  need(aclrtStreamWaitEvent(reading, written));
  need(aclmdlRIExecuteAsync(reads, reading));
  need(aclrtSynchronizeStream(writing));
  need(aclrtSynchronizeStream(reading));
  return 0;
}
