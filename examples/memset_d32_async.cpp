// SPDX-License-Identifier: Apache-2.0
// aclrtMemsetD32Async: fills with a 32-bit value in stream order. Here a table of block numbers is
// set to "none", then some entries are written.
#include "check.h"

#include <algorithm>
#include <cstdint>

int main() {
  constexpr size_t kEntries = 4096;
  constexpr size_t kBytes = kEntries * sizeof(uint32_t);
  constexpr size_t kUsed = 16;
  constexpr uint32_t kNone = 0xFFFFFFFF;
  check(aclInit(nullptr));
  check(aclrtSetDevice(0));
  aclrtStream stream = nullptr;
  check(aclrtCreateStream(&stream));
  void* table = nullptr;
  uint32_t* host = nullptr;
  check(aclrtMalloc(&table, kBytes, ACL_MEM_MALLOC_HUGE_FIRST));
  check(aclrtMallocHost(reinterpret_cast<void**>(&host), 2 * kBytes));
  uint32_t* result = host + kEntries;
  for (uint32_t i = 0; i < kUsed; ++i)
    host[i] = 100 + i;

  check(aclrtMemsetD32Async(table, kBytes, kNone, kEntries, stream));
  check(aclrtMemcpyAsync(table, kBytes, host, kUsed * sizeof(uint32_t), ACL_MEMCPY_HOST_TO_DEVICE,
                         stream));
  check(aclrtMemcpyAsync(result, kBytes, table, kBytes, ACL_MEMCPY_DEVICE_TO_HOST, stream));
  check(aclrtSynchronizeStream(stream));
  require(std::equal(host, host + kUsed, result), "the first entries are those of the host");
  require(std::all_of(result + kUsed, result + kEntries, [](uint32_t e) { return e == kNone; }),
          "all other entries are empty");
  std::printf("%zu entries emptied, %zu of them filled again, in stream order\n", kEntries, kUsed);

  check(aclrtFree(table));
  check(aclrtFreeHost(host));
  check(aclrtDestroyStream(stream));
  check(aclrtResetDevice(0));
  check(aclFinalize());
  return 0;
}
