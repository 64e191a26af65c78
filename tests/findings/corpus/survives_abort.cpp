// SPDX-License-Identifier: Apache-2.0
// rule: host-write-in-flight
// cpu: a write is seen at once; elsewhere when the host waits, which this program never does
// exit: -6
// The program aborts just after its mistake: the report has been written by then.
#include "corpus.h"

using namespace corpus;

namespace {

constexpr size_t kBytes = 4 * kPage;

}  // namespace

int main() {
  Device device;
  DeviceMemory target(kBytes);
  PinnedMemory buffer(kBytes);
  Stream stream;
  need(aclrtMemcpyAsync(target, kBytes, buffer, kBytes, ACL_MEMCPY_HOST_TO_DEVICE, stream));
  buffer[kPage] = 1;
  std::abort();
}
