// SPDX-License-Identifier: Apache-2.0
// rule: none
// A registered buffer grows when the copy from it is done and it is no longer registered.
#include "corpus.h"

#include <sys/mman.h>

using namespace corpus;

namespace {

constexpr size_t kBytes = 4 * kPage;

}  // namespace

int main() {
  Device device;
  DeviceMemory target(kBytes);
  void* memory = mmap(nullptr, kBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  std::memset(memory, 1, kBytes);
  void* mapped = nullptr;
  need(aclrtHostRegister(memory, kBytes, ACL_HOST_REGISTER_MAPPED, &mapped));
  Stream stream;
  need(aclrtMemcpyAsync(target, kBytes, memory, kBytes, ACL_MEMCPY_HOST_TO_DEVICE, stream));
  need(aclrtSynchronizeStream(stream));
  need(aclrtHostUnregister(memory));
  munmap(memory, kBytes);
  return 0;
}
