// SPDX-License-Identifier: Apache-2.0
// rule: free-in-flight
// schedule: eager
// A registered buffer is given back when the copy from it has executed, which the program has not
// waited for: it looks at memory instead.
#include "corpus.h"

#include <sys/mman.h>

using namespace corpus;

namespace {

constexpr size_t kBytes = 4 * kPage;

char* registered() {
  void* memory = mmap(nullptr, kBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  void* mapped = nullptr;
  need(aclrtHostRegister(memory, kBytes, ACL_HOST_REGISTER_MAPPED, &mapped));
  return static_cast<char*>(memory);
}

}  // namespace

int main() {
  Device device;
  DeviceMemory middle(kBytes);
  char* source = registered();
  char* result = registered();
  std::memset(source, 1, kBytes);
  Stream stream;
  need(aclrtMemcpyAsync(middle, kBytes, source, kBytes, ACL_MEMCPY_HOST_TO_DEVICE, stream));
  need(aclrtMemcpyAsync(result, kBytes, middle, kBytes, ACL_MEMCPY_DEVICE_TO_HOST, stream));
  const volatile char* last = result + kBytes - 1;
  while (*last == 0)
    continue;
  munmap(source, kBytes);
  need(aclrtSynchronizeStream(stream));
  return 0;
}
