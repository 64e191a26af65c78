// SPDX-License-Identifier: Apache-2.0
// rule: host-write-in-flight
// A row of a matrix is edited while a 2D copy of the matrix is queued.
#include "corpus.h"

using namespace corpus;

namespace {

constexpr size_t kRows = 8;
constexpr size_t kPitch = 2 * kPage;

}  // namespace

int main() {
  Device device;
  DeviceMemory target(kRows * kPage);
  PinnedMemory matrix(kRows * kPitch);
  Stream stream;
  need(aclrtMemcpy2dAsync(target, kPage, matrix, kPitch, kPage, kRows, ACL_MEMCPY_HOST_TO_DEVICE,
                          stream));
  // The gaps between the rows are not copied and may be written.
  std::memset(matrix + 2 * kPitch + kPage, 1, kPage);
  std::memset(matrix + 3 * kPitch, 1, kPage);
  need(aclrtSynchronizeStream(stream));
  return 0;
}
