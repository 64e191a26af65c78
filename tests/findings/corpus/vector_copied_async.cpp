// SPDX-License-Identifier: Apache-2.0
// rule: blocking-async
// The source of an asynchronous copy is a std::vector: the call waits for all work queued before it
// (onnxruntime#26512).
#include "corpus.h"

using namespace corpus;

namespace {

constexpr size_t kBytes = 4 * kPage;

}  // namespace

int main() {
  Device device;
  DeviceMemory target(kBytes);
  PinnedMemory first(kBytes);
  Stream stream;
  need(aclrtMemcpyAsync(target, kBytes, first, kBytes, ACL_MEMCPY_HOST_TO_DEVICE, stream));
  std::vector<char> second(kBytes, 1);
  need(aclrtMemcpyAsync(target, kBytes, second.data(), kBytes, ACL_MEMCPY_HOST_TO_DEVICE, stream));
  need(aclrtSynchronizeStream(stream));
  return 0;
}
