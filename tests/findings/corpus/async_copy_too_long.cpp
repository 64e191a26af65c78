// SPDX-License-Identifier: Apache-2.0
// rule: out-of-bounds
// The batch has grown beyond the buffer that was allocated for it; destMax repeats the size of the
// copy.
#include "corpus.h"

using namespace corpus;

namespace {

constexpr size_t kMaxBatch = 256;
constexpr size_t kBatch = 300;

}  // namespace

int main() {
  Device device;
  DeviceMemory tokens(kMaxBatch * sizeof(int32_t));
  PinnedMemory source(kBatch * sizeof(int32_t));
  Stream stream;
  const size_t size = kBatch * sizeof(int32_t);
  need(aclrtMemcpyAsync(tokens, size, source, size, ACL_MEMCPY_HOST_TO_DEVICE, stream));
  aclrtSynchronizeStream(stream);
  return 0;
}
