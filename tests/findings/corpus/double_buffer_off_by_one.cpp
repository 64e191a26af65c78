// SPDX-License-Identifier: Apache-2.0
// rule: host-write-in-flight
// Two buffers take turns, but the index is a quotient instead of a remainder: steps 0 and 1 both
// fill the first one (vLLM#31841).
#include "corpus.h"

using namespace corpus;

namespace {

constexpr size_t kBytes = 8 * kPage;

}  // namespace

int main() {
  Device device;
  DeviceMemory target(kBytes);
  PinnedMemory buffers[2] = {PinnedMemory(kBytes), PinnedMemory(kBytes)};
  Event copied[2];
  Stream stream;
  for (size_t step = 0; step < 4; ++step) {
    const size_t turn = step / 2;
    if (step >= 2) need(aclrtSynchronizeEvent(copied[step % 2]));
    std::memset(buffers[turn], static_cast<int>(step), kBytes);
    need(
        aclrtMemcpyAsync(target, kBytes, buffers[turn], kBytes, ACL_MEMCPY_HOST_TO_DEVICE, stream));
    need(aclrtRecordEvent(copied[step % 2], stream));
  }
  need(aclrtSynchronizeStream(stream));
  return 0;
}
