// SPDX-License-Identifier: Apache-2.0
// rule: free-in-flight
// cpu: elsewhere nothing looks at the memory before the copy executes, which crashes
// A registered buffer grows while a copy from it is queued: the memory it had is given back, as by
// realloc of a large block, and no call says so.
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
  munmap(memory, kBytes);
  aclrtSynchronizeStream(stream);
  return 0;
}
