// SPDX-License-Identifier: Apache-2.0
// rule: sync-copy-race
// A blocking copy writes a rectangle while a copy into the same rows is queued.
#include "corpus.h"

using namespace corpus;

namespace {

constexpr size_t kRows = 8;

}  // namespace

int main() {
  Device device;
  DeviceMemory matrix(kRows * kPage);
  PinnedMemory source(kRows * kPage);
  PinnedMemory patch(kRows * 64);
  Stream stream;
  need(aclrtMemcpyAsync(matrix, kRows * kPage, source, kRows * kPage, ACL_MEMCPY_HOST_TO_DEVICE,
                        stream));
  need(aclrtMemcpy2d(matrix + 128, kPage, patch, 64, 64, kRows, ACL_MEMCPY_HOST_TO_DEVICE));
  need(aclrtSynchronizeStream(stream));
  return 0;
}
