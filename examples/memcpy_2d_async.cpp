// SPDX-License-Identifier: Apache-2.0
// aclrtMemcpy2dAsync: copies of rows in stream order, also inside a device. Here the heads of an
// attention layer, which are side by side in each token's row, are separated on the device.
#include "check.h"

#include <cstdint>
#include <vector>

int main() {
  constexpr size_t kTokens = 256;
  constexpr size_t kHeads = 8;
  constexpr size_t kHeadBytes = 128;
  constexpr size_t kRowBytes = kHeads * kHeadBytes;
  constexpr size_t kBytes = kTokens * kRowBytes;
  check(aclInit(nullptr));
  check(aclrtSetDevice(0));
  aclrtStream stream = nullptr;
  check(aclrtCreateStream(&stream));

  char* host = nullptr;
  char* rows = nullptr;
  char* heads = nullptr;
  check(aclrtMallocHost(reinterpret_cast<void**>(&host), kBytes));
  check(aclrtMalloc(reinterpret_cast<void**>(&rows), kBytes, ACL_MEM_MALLOC_HUGE_FIRST));
  check(aclrtMalloc(reinterpret_cast<void**>(&heads), kBytes, ACL_MEM_MALLOC_HUGE_FIRST));
  for (size_t i = 0; i < kBytes; ++i)
    host[i] = static_cast<char>(i * 13 + i / kRowBytes);

  check(aclrtMemcpy2dAsync(rows, kRowBytes, host, kRowBytes, kRowBytes, kTokens,
                           ACL_MEMCPY_HOST_TO_DEVICE, stream));
  for (size_t head = 0; head < kHeads; ++head) {
    check(aclrtMemcpy2dAsync(heads + head * kTokens * kHeadBytes, kHeadBytes,
                             rows + head * kHeadBytes, kRowBytes, kHeadBytes, kTokens,
                             ACL_MEMCPY_DEVICE_TO_DEVICE, stream));
  }
  check(aclrtSynchronizeStream(stream));

  std::vector<char> result(kBytes);
  check(aclrtMemcpy(result.data(), kBytes, heads, kBytes, ACL_MEMCPY_DEVICE_TO_HOST));
  for (size_t head = 0; head < kHeads; ++head) {
    for (size_t token = 0; token < kTokens; ++token) {
      require(std::memcmp(&result[(head * kTokens + token) * kHeadBytes],
                          host + token * kRowBytes + head * kHeadBytes, kHeadBytes) == 0,
              "the rows of a head are together");
    }
  }
  std::printf("%zu tokens of %zu heads rearranged on the device\n", kTokens, kHeads);

  check(aclrtFree(rows));
  check(aclrtFree(heads));
  check(aclrtFreeHost(host));
  check(aclrtDestroyStream(stream));
  check(aclrtResetDevice(0));
  check(aclFinalize());
  return 0;
}
