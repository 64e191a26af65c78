// SPDX-License-Identifier: Apache-2.0
// rule: none
// Registered memory is unregistered when the copy from it is done.
#include "corpus.h"

using namespace corpus;

namespace {

constexpr size_t kBytes = 4 * kPage;

}  // namespace

int main() {
  Device device;
  DeviceMemory target(kBytes);
  void* memory = std::aligned_alloc(kPage, kBytes);
  std::memset(memory, 1, kBytes);
  void* mapped = nullptr;
  need(aclrtHostRegister(memory, kBytes, ACL_HOST_REGISTER_MAPPED, &mapped));
  {
    Stream stream;
    need(aclrtMemcpyAsync(target, kBytes, memory, kBytes, ACL_MEMCPY_HOST_TO_DEVICE, stream));
    need(aclrtSynchronizeStream(stream));
    need(aclrtHostUnregister(memory));
    aclrtSynchronizeStream(stream);
  }
  std::free(memory);
  return 0;
}
