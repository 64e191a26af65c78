// SPDX-License-Identifier: Apache-2.0
// rule: out-of-bounds
// A 2D copy takes one row more than the matrix has.
#include "corpus.h"

using namespace corpus;

namespace {

constexpr size_t kRows = 16;
constexpr size_t kPitch = 1024;
constexpr size_t kWidth = 512;

}  // namespace

int main() {
  Device device;
  DeviceMemory matrix(kRows * kPitch);
  PinnedMemory result((kRows + 1) * kWidth);
  Stream stream;
  need(aclrtMemcpy2dAsync(result, kWidth, matrix, kPitch, kWidth, kRows + 1,
                          ACL_MEMCPY_DEVICE_TO_HOST, stream));
  aclrtSynchronizeStream(stream);
  return 0;
}
