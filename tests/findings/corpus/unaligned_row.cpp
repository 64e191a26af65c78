// SPDX-License-Identifier: Apache-2.0
// rule: unaligned
// options: --rules unaligned
// Rows of 656 bytes without gaps: the second does not begin at a multiple of 64.
#include "corpus.h"

using namespace corpus;

namespace {

constexpr size_t kPitch = 656;

}  // namespace

int main() {
  Device device;
  DeviceMemory rows(4 * kPitch);
  PinnedMemory result(4 * 704);
  Stream stream;
  for (size_t i = 0; i < 4; ++i)
    need(aclrtMemcpyAsync(result + i * 704, 656, rows + i * kPitch, 656, ACL_MEMCPY_DEVICE_TO_HOST,
                          stream));
  need(aclrtSynchronizeStream(stream));
  return 0;
}
