// SPDX-License-Identifier: Apache-2.0
// rule: host-write-in-flight
// A host function ends the program while the main thread waits for it.
#include "corpus.h"

using namespace corpus;

namespace {

constexpr size_t kBytes = 4 * kPage;

void leave(void* /*unused*/) {
  std::exit(0);
}

}  // namespace

int main() {
  Device device;
  DeviceMemory target(kBytes);
  PinnedMemory buffer(kBytes);
  Stream stream;
  need(aclrtMemcpyAsync(target, kBytes, buffer, kBytes, ACL_MEMCPY_HOST_TO_DEVICE, stream));
  buffer[kPage] = 1;
  need(aclrtLaunchHostFunc(stream, leave, nullptr));
  need(aclrtSynchronizeStream(stream));
  return 3;
}
