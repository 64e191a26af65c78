// SPDX-License-Identifier: Apache-2.0
// rule: host-write-in-flight
// A ring of staging slots waits for a slot from the sixth request on, but the fifth is the first to
// find its slot in use (vllm-ascend#12071).
#include "corpus.h"

using namespace corpus;

namespace {

constexpr size_t kSlots = 4;
constexpr size_t kRequests = 7;
constexpr size_t kSlotBytes = 2 * kPage;

}  // namespace

int main() {
  Device device;
  DeviceMemory target(kRequests * kSlotBytes);
  PinnedMemory ring(kSlots * kSlotBytes);
  Event done[kSlots];
  Stream stream;
  for (size_t request = 0; request < kRequests; ++request) {
    const size_t slot = request % kSlots;
    char* source = ring + slot * kSlotBytes;
    if (request > kSlots) need(aclrtSynchronizeEvent(done[slot]));
    std::memset(source, static_cast<int>(request), kSlotBytes);
    need(aclrtMemcpyAsync(target + request * kSlotBytes, kSlotBytes, source, kSlotBytes,
                          ACL_MEMCPY_HOST_TO_DEVICE, stream));
    need(aclrtRecordEvent(done[slot], stream));
  }
  need(aclrtSynchronizeStream(stream));
  return 0;
}
