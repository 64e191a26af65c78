// SPDX-License-Identifier: Apache-2.0
// rule: none
// The sampled tokens are read after the copy that fetches them is done.
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
  need(aclrtSynchronizeStream(stream));
  use(result[0]);
  need(aclrtSynchronizeStream(stream));
  return 0;
}
