// SPDX-License-Identifier: Apache-2.0
// The program of the finding in README.md, which shows the loop.
#include <acl/acl.h>

#include <cstring>

constexpr size_t blocks = 4;
constexpr size_t size = 65536;

int main() {
  aclInit(nullptr);
  aclrtSetDevice(0);
  aclrtStream stream = nullptr;
  aclrtCreateStream(&stream);
  void* memory = nullptr;
  aclrtMalloc(&memory, blocks * size, ACL_MEM_MALLOC_HUGE_FIRST);
  char* cache = static_cast<char*>(memory);
  void* staging = nullptr;
  aclrtMallocHost(&staging, size);
  for (size_t block = 0; block < blocks; ++block) {
    std::memset(staging, static_cast<int>(block), size);
    aclrtMemcpyAsync(cache + block * size, size, staging, size, ACL_MEMCPY_HOST_TO_DEVICE, stream);
  }
  aclrtSynchronizeStream(stream);
  aclrtFreeHost(staging);
  aclrtFree(memory);
  aclrtDestroyStream(stream);
  aclrtResetDevice(0);
  aclFinalize();
}
