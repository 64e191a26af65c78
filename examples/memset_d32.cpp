// SPDX-License-Identifier: Apache-2.0
// aclrtMemsetD32: fills with a 32-bit value, such as a float or a block number. The capacity is
// given in bytes, the count in values.
#include "check.h"

#include <algorithm>
#include <cstdint>
#include <vector>

int main() {
  constexpr size_t kValues = 1000;
  constexpr size_t kBytes = kValues * sizeof(float);
  check(aclInit(nullptr));
  check(aclrtSetDevice(0));
  void* device = nullptr;
  check(aclrtMalloc(&device, kBytes, ACL_MEM_MALLOC_HUGE_FIRST));

  const float value = -1.5F;
  uint32_t bits = 0;
  std::memcpy(&bits, &value, sizeof bits);
  check(aclrtMemsetD32(device, kBytes, bits, kValues));

  std::vector<float> result(kValues);
  check(aclrtMemcpy(result.data(), kBytes, device, kBytes, ACL_MEMCPY_DEVICE_TO_HOST));
  require(std::count(result.begin(), result.end(), value) == static_cast<std::ptrdiff_t>(kValues),
          "all values are -1.5");
  std::printf("%zu floats set to %g\n", kValues, static_cast<double>(value));

  check(aclrtFree(device));
  check(aclrtResetDevice(0));
  check(aclFinalize());
  return 0;
}
