// SPDX-License-Identifier: Apache-2.0
// aclrtMemcpyAsyncWithCondition: the older name of aclrtMemcpyAsync. It takes the same arguments
// and does the same: with pinned memory it queues, with pageable memory it blocks. New programs
// should use aclrtMemcpyAsync.
#include "check.h"

#include <vector>

int main() {
  constexpr size_t kBytes = 1 << 20;
  check(aclInit(nullptr));
  check(aclrtSetDevice(0));
  aclrtStream stream = nullptr;
  check(aclrtCreateStream(&stream));
  void* pinned = nullptr;
  void* device = nullptr;
  check(aclrtMallocHost(&pinned, kBytes));
  check(aclrtMalloc(&device, kBytes, ACL_MEM_MALLOC_HUGE_FIRST));
  std::memset(pinned, 0x33, kBytes);

  check(aclrtMemcpyAsyncWithCondition(device, kBytes, pinned, kBytes, ACL_MEMCPY_HOST_TO_DEVICE,
                                      stream));
  // Pageable: the call waits for the copy above, copies, and returns with the result in place.
  std::vector<char> result(kBytes);
  check(aclrtMemcpyAsyncWithCondition(result.data(), kBytes, device, kBytes,
                                      ACL_MEMCPY_DEVICE_TO_HOST, stream));
  require(std::memcmp(result.data(), pinned, kBytes) == 0, "what comes back is what was sent");
  std::printf("%zu bytes out of pinned memory and back into pageable memory\n", kBytes);

  check(aclrtFree(device));
  check(aclrtFreeHost(pinned));
  check(aclrtDestroyStream(stream));
  check(aclrtResetDevice(0));
  check(aclFinalize());
  return 0;
}
