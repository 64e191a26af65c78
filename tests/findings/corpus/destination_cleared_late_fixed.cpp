// SPDX-License-Identifier: Apache-2.0
// rule: none
// The buffer for the result is cleared before the copy into it is queued.
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
  std::memset(result, 0, kBytes);
  need(aclrtMemcpyAsync(result, kBytes, source, kBytes, ACL_MEMCPY_DEVICE_TO_HOST, stream));
  need(aclrtSynchronizeStream(stream));
  use(result[0]);
  return 0;
}
