// SPDX-License-Identifier: Apache-2.0
// aclrtMemcpyAsyncWithOffset: the base addresses of both sides are in device memory, where another
// task may have written them. They are read, and the offsets added, when the copy runs.
#include "check.h"

#include <vector>

int main() {
  constexpr size_t kBytes = 4096;
  constexpr size_t kCount = 100;
  check(aclInit(nullptr));
  check(aclrtSetDevice(0));
  aclrtStream stream = nullptr;
  check(aclrtCreateStream(&stream));

  void* source = nullptr;
  void* target = nullptr;
  check(aclrtMalloc(&source, kBytes, ACL_MEM_MALLOC_HUGE_FIRST));
  check(aclrtMalloc(&target, kBytes, ACL_MEM_MALLOC_HUGE_FIRST));
  std::vector<char> bytes(kBytes);
  for (size_t i = 0; i < kBytes; ++i)
    bytes[i] = static_cast<char>(i);
  check(aclrtMemcpy(source, kBytes, bytes.data(), kBytes, ACL_MEMCPY_HOST_TO_DEVICE));
  check(aclrtMemset(target, kBytes, 0, kBytes));

  // A table in device memory: address of the source, address of the target.
  void** table = nullptr;
  void* addresses[2] = {source, target};
  check(aclrtMalloc(reinterpret_cast<void**>(&table), sizeof addresses, ACL_MEM_MALLOC_HUGE_FIRST));
  check(
      aclrtMemcpy(table, sizeof addresses, addresses, sizeof addresses, ACL_MEMCPY_HOST_TO_DEVICE));

  constexpr size_t kTargetOffset = 1000;
  constexpr size_t kSourceOffset = 24;
  check(aclrtMemcpyAsyncWithOffset(table + 1, kBytes, kTargetOffset,
                                   const_cast<const void**>(table), kCount, kSourceOffset,
                                   ACL_MEMCPY_INNER_DEVICE_TO_DEVICE, stream));
  check(aclrtSynchronizeStream(stream));

  std::vector<char> result(kBytes);
  check(aclrtMemcpy(result.data(), kBytes, target, kBytes, ACL_MEMCPY_DEVICE_TO_HOST));
  std::vector<char> expected(kBytes, 0);
  std::memcpy(&expected[kTargetOffset], &bytes[kSourceOffset], kCount);
  require(result == expected, "the bytes are at the offset, and nowhere else");
  std::printf("%zu bytes from offset %zu to offset %zu of addresses in device memory\n", kCount,
              kSourceOffset, kTargetOffset);

  check(aclrtFree(table));
  check(aclrtFree(source));
  check(aclrtFree(target));
  check(aclrtDestroyStream(stream));
  check(aclrtResetDevice(0));
  check(aclFinalize());
  return 0;
}
