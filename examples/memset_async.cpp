// SPDX-License-Identifier: Apache-2.0
// aclrtMemsetAsync: on device memory it is queued like a copy. On host memory it is done during the
// call, whatever is queued on the stream.
#include "check.h"

#include <algorithm>

int main() {
  constexpr size_t kBytes = 1 << 20;
  check(aclInit(nullptr));
  check(aclrtSetDevice(0));
  aclrtStream stream = nullptr;
  check(aclrtCreateStream(&stream));
  void* device = nullptr;
  char* host = nullptr;
  check(aclrtMalloc(&device, kBytes, ACL_MEM_MALLOC_HUGE_FIRST));
  check(aclrtMallocHost(reinterpret_cast<void**>(&host), kBytes));

  // Host memory: filled when the call returns, no synchronisation needed.
  check(aclrtMemsetAsync(host, kBytes, 0x11, kBytes, stream));
  require(std::all_of(host, host + kBytes, [](char c) { return c == 0x11; }),
          "host memory is 0x11");

  // Device memory: in the order of the stream, so the copy queued after it sees the new value.
  check(aclrtMemsetAsync(device, kBytes, 0x22, kBytes, stream));
  check(aclrtMemcpyAsync(host, kBytes, device, kBytes, ACL_MEMCPY_DEVICE_TO_HOST, stream));
  check(aclrtSynchronizeStream(stream));
  require(std::all_of(host, host + kBytes, [](char c) { return c == 0x22; }),
          "the copy came after the device memory was filled");
  std::printf("%zu bytes filled on the host at once, on the device in stream order\n", kBytes);

  check(aclrtFree(device));
  check(aclrtFreeHost(host));
  check(aclrtDestroyStream(stream));
  check(aclrtResetDevice(0));
  check(aclFinalize());
  return 0;
}
