// SPDX-License-Identifier: Apache-2.0
// Copies by descriptor: aclrtGetMemcpyDescSize, aclrtSetMemcpyDesc, aclrtMemcpyAsyncWithDesc.
// Length and addresses are in device memory and are read when the copy runs, so that the same
// queued task can copy something else each time.
#include "check.h"

#include <vector>

int main() {
  constexpr size_t kBytes = 4096;
  constexpr aclrtMemcpyKind kKind = ACL_MEMCPY_INNER_DEVICE_TO_DEVICE;  // the only kind allowed
  check(aclInit(nullptr));
  check(aclrtSetDevice(0));
  aclrtStream stream = nullptr;  // these copies need a stream: NULL is not the default stream here
  check(aclrtCreateStream(&stream));

  void* first = nullptr;
  void* second = nullptr;
  void* target = nullptr;
  check(aclrtMalloc(&first, kBytes, ACL_MEM_MALLOC_HUGE_FIRST));
  check(aclrtMalloc(&second, kBytes, ACL_MEM_MALLOC_HUGE_FIRST));
  check(aclrtMalloc(&target, kBytes, ACL_MEM_MALLOC_HUGE_FIRST));
  check(aclrtMemset(first, kBytes, 1, kBytes));
  check(aclrtMemset(second, kBytes, 2, kBytes));

  size_t descriptor_bytes = 0;
  check(aclrtGetMemcpyDescSize(kKind, &descriptor_bytes));
  void* descriptor = nullptr;
  check(aclrtMalloc(&descriptor, descriptor_bytes, ACL_MEM_MALLOC_HUGE_FIRST));

  std::vector<char> result(kBytes);
  check(aclrtSetMemcpyDesc(descriptor, kKind, first, target, kBytes, nullptr));
  check(aclrtMemcpyAsyncWithDesc(descriptor, kKind, stream));
  check(aclrtSynchronizeStream(stream));
  check(aclrtMemcpy(result.data(), kBytes, target, kBytes, ACL_MEMCPY_DEVICE_TO_HOST));
  require(result == std::vector<char>(kBytes, 1), "the first source was copied");

  // The same descriptor, filled again: half of the second source. The call writes at once, so the
  // copy above must be done.
  check(aclrtSetMemcpyDesc(descriptor, kKind, second, target, kBytes / 2, nullptr));
  check(aclrtMemcpyAsyncWithDesc(descriptor, kKind, stream));
  check(aclrtSynchronizeStream(stream));
  check(aclrtMemcpy(result.data(), kBytes, target, kBytes, ACL_MEMCPY_DEVICE_TO_HOST));
  require(result.front() == 2 && result[kBytes / 2 - 1] == 2, "then half of the second source");
  require(result[kBytes / 2] == 1 && result.back() == 1, "and no byte more");
  std::printf("one descriptor of %zu bytes, two different copies\n", descriptor_bytes);

  check(aclrtFree(descriptor));
  check(aclrtFree(first));
  check(aclrtFree(second));
  check(aclrtFree(target));
  check(aclrtDestroyStream(stream));
  check(aclrtResetDevice(0));
  check(aclFinalize());
  return 0;
}
