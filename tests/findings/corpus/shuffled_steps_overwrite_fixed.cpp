// SPDX-License-Identifier: Apache-2.0
// rule: none
// schedule: shuffle:3
// The program waits for all streams that copy from a buffer before it refills the buffer.
#include "corpus.h"

using namespace corpus;

namespace {

constexpr size_t kBytes = 4 * kPage;

}  // namespace

int main() {
  Device device;
  DeviceMemory target(3 * kBytes);
  PinnedMemory buffer(kBytes);
  Stream streams[3];
  for (size_t i = 0; i < 3; ++i)
    need(aclrtMemcpyAsync(target + i * kBytes, kBytes, buffer, kBytes, ACL_MEMCPY_HOST_TO_DEVICE,
                          streams[i]));
  for (const Stream& stream : streams)
    need(aclrtSynchronizeStream(stream));
  std::memset(buffer, 2, kBytes);
  need(aclrtSynchronizeDevice());
  return 0;
}
