// SPDX-License-Identifier: Apache-2.0
// rule: none
// A host function refills a buffer behind an event that signals that the copy from it is done.
#include "corpus.h"

using namespace corpus;

namespace {

constexpr size_t kBytes = 4 * kPage;

void refill(void* buffer) {
  std::memset(buffer, 2, kBytes);
}

}  // namespace

int main() {
  Device device;
  DeviceMemory target(kBytes);
  PinnedMemory buffer(kBytes);
  Event copied;
  Stream copies;
  Stream steps;
  need(aclrtMemcpyAsync(target, kBytes, buffer, kBytes, ACL_MEMCPY_HOST_TO_DEVICE, copies));
  need(aclrtRecordEvent(copied, copies));
  need(aclrtStreamWaitEvent(steps, copied));
  need(aclrtLaunchHostFunc(steps, refill, static_cast<char*>(buffer)));
  need(aclrtSynchronizeStream(steps));
  need(aclrtSynchronizeStream(copies));
  return 0;
}
