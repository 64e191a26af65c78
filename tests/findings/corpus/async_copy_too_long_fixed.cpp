// SPDX-License-Identifier: Apache-2.0
// rule: none
// The buffer is as large as the largest batch.
#include "corpus.h"

using namespace corpus;

namespace {

constexpr size_t kBatch = 300;

}  // namespace

int main() {
  Device device;
  DeviceMemory tokens(kBatch * sizeof(int32_t));
  PinnedMemory source(kBatch * sizeof(int32_t));
  Stream stream;
  const size_t size = kBatch * sizeof(int32_t);
  need(aclrtMemcpyAsync(tokens, size, source, size, ACL_MEMCPY_HOST_TO_DEVICE, stream));
  aclrtSynchronizeStream(stream);
  return 0;
}
