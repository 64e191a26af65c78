// SPDX-License-Identifier: Apache-2.0
// aclrtMemset: fills device or pinned memory with one byte and returns when it is done.
#include "check.h"

#include <vector>

int main() {
  constexpr size_t kBytes = 1 << 20;
  check(aclInit(nullptr));
  check(aclrtSetDevice(0));
  char* device = nullptr;
  check(aclrtMalloc(reinterpret_cast<void**>(&device), kBytes, ACL_MEM_MALLOC_HUGE_FIRST));

  check(aclrtMemset(device, kBytes, 0, kBytes));
  // The second argument is the capacity at the address. Only the low 8 bits of the value are used.
  check(aclrtMemset(device + 1000, kBytes - 1000, 0x1FF, 24));

  std::vector<char> result(kBytes);
  check(aclrtMemcpy(result.data(), kBytes, device, kBytes, ACL_MEMCPY_DEVICE_TO_HOST));
  std::vector<char> expected(kBytes, 0);
  std::memset(&expected[1000], 0xFF, 24);
  require(result == expected, "24 bytes are 0xFF and all others 0");
  std::printf("%zu bytes cleared, 24 of them set to 0xFF\n", kBytes);

  check(aclrtFree(device));
  check(aclrtResetDevice(0));
  check(aclFinalize());
  return 0;
}
