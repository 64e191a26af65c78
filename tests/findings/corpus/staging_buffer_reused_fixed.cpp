// SPDX-License-Identifier: Apache-2.0
// rule: none
// One staging buffer for all blocks of a KV cache: it is refilled when the copy of the previous
// block is done.
#include "corpus.h"

using namespace corpus;

namespace {

constexpr size_t kBlocks = 4;
constexpr size_t kBlockBytes = 16 * kPage;

}  // namespace

int main() {
  Device device;
  DeviceMemory cache(kBlocks * kBlockBytes);
  PinnedMemory staging(kBlockBytes);
  Stream stream;
  for (size_t block = 0; block < kBlocks; ++block) {
    std::memset(staging, static_cast<int>(block) + 1, kBlockBytes);
    need(aclrtMemcpyAsync(cache + block * kBlockBytes, kBlockBytes, staging, kBlockBytes,
                          ACL_MEMCPY_HOST_TO_DEVICE, stream));
    need(aclrtSynchronizeStream(stream));
  }
  need(aclrtSynchronizeStream(stream));
  return 0;
}
