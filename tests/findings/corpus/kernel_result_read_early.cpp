// SPDX-License-Identifier: Apache-2.0
// rule: host-read-in-flight
// cpu: a read is seen through guarded pages
// The result of a kernel is read when everything is queued and nothing has run.
#include "corpus.h"

#include "ferry/ferry.h"

using namespace corpus;

namespace {

constexpr size_t kBytes = 4 * kPage;

void kernel(void* /*unused*/) {}

}  // namespace

int main() {
  Device device;
  DeviceMemory logits(kBytes);
  PinnedMemory result(kBytes);
  Stream stream;
  need(ferryLaunchDeviceFunction(stream, kernel, nullptr));
  need(aclrtMemcpyAsync(result, kBytes, logits, kBytes, ACL_MEMCPY_DEVICE_TO_HOST, stream));
  use(result[kPage]);
  need(aclrtSynchronizeStream(stream));
  return 0;
}
