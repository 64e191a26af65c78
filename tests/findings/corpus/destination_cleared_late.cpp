// SPDX-License-Identifier: Apache-2.0
// rule: host-write-in-flight
// cpu: memory that a copy writes is guarded, not compared
// The buffer for the result is cleared after the copy into it was queued: which comes first is a
// matter of luck.
#include "corpus.h"

using namespace corpus;

namespace {

constexpr size_t kBytes = 4 * kPage;

}  // namespace

int main() {
  Device device;
  DeviceMemory source(kBytes);
  PinnedMemory result(kBytes);
  Stream stream;
  need(aclrtMemcpyAsync(result, kBytes, source, kBytes, ACL_MEMCPY_DEVICE_TO_HOST, stream));
  std::memset(result, 0, kBytes);
  need(aclrtSynchronizeStream(stream));
  use(result[0]);
  return 0;
}
