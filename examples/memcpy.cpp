// SPDX-License-Identifier: Apache-2.0
// aclrtMemcpy: host to device, device to device, device to host. Each call returns when its bytes
// have arrived, so there is nothing to wait for.
#include "check.h"

#include <cstdint>
#include <numeric>
#include <vector>

int main() {
  check(aclInit(nullptr));
  check(aclrtSetDevice(0));

  std::vector<int32_t> numbers(1000);
  std::iota(numbers.begin(), numbers.end(), 0);
  const size_t bytes = numbers.size() * sizeof(int32_t);

  void* first = nullptr;
  void* second = nullptr;
  check(aclrtMalloc(&first, bytes, ACL_MEM_MALLOC_HUGE_FIRST));
  check(aclrtMalloc(&second, bytes, ACL_MEM_MALLOC_HUGE_FIRST));

  // The second argument is the capacity of the destination: a larger copy is refused.
  std::vector<int32_t> result(numbers.size());
  check(aclrtMemcpy(first, bytes, numbers.data(), bytes, ACL_MEMCPY_HOST_TO_DEVICE));
  check(aclrtMemcpy(second, bytes, first, bytes, ACL_MEMCPY_DEVICE_TO_DEVICE));
  check(aclrtMemcpy(result.data(), bytes, second, bytes, ACL_MEMCPY_DEVICE_TO_HOST));
  require(result == numbers, "what comes back is what was sent");
  std::printf("%zu bytes copied to the device, inside it and back\n", bytes);

  check(aclrtFree(first));
  check(aclrtFree(second));
  check(aclrtResetDevice(0));
  check(aclFinalize());
  return 0;
}
