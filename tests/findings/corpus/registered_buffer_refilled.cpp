// SPDX-License-Identifier: Apache-2.0
// rule: host-write-in-flight
// places: 1
// Registered malloc memory is pinned too: a copy from it is queued, and the buffer must not be
// refilled yet (cuDF#22321). It is not guarded; found by comparing.
#include "corpus.h"

using namespace corpus;

namespace {

constexpr size_t kBytes = 8 * kPage;

}  // namespace

int main() {
  Device device;
  DeviceMemory target(kBytes);
  void* memory = std::aligned_alloc(kPage, kBytes);
  void* mapped = nullptr;
  std::memset(memory, 1, kBytes);
  need(aclrtHostRegister(memory, kBytes, ACL_HOST_REGISTER_MAPPED, &mapped));
  {
    Stream stream;
    need(aclrtMemcpyAsync(target, kBytes, memory, kBytes, ACL_MEMCPY_HOST_TO_DEVICE, stream));
    std::memset(memory, 2, kBytes);
    need(aclrtSynchronizeStream(stream));
  }
  need(aclrtHostUnregister(memory));
  std::free(memory);
  return 0;
}
