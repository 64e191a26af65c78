// SPDX-License-Identifier: Apache-2.0
// rule: host-read-in-flight
// cpu: a read is seen through guarded pages
// The sampled tokens are read without waiting for the copy that fetches them (vLLM#45704).
#include "corpus.h"

using namespace corpus;

namespace {

constexpr size_t kBytes = kPage;

}  // namespace

int main() {
  Device device;
  DeviceMemory tokens(kBytes);
  PinnedMemory result(kBytes);
  Stream stream;
  need(aclrtMemcpyAsync(result, kBytes, tokens, kBytes, ACL_MEMCPY_DEVICE_TO_HOST, stream));
  use(result[0]);
  need(aclrtSynchronizeStream(stream));
  return 0;
}
