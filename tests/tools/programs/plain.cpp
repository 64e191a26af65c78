// SPDX-License-Identifier: Apache-2.0
// A user's C++ program, with the headers as CANN names them and Ferry's own.
#include "acl/acl_rt.h"
#include "ferry/ferry.h"

#include <cstdio>
#include <vector>

int main() {
  std::vector<int> numbers{1, 2, 3};
  std::vector<int> result(3);
  void* device = nullptr;
  if (aclrtSetDevice(0) != ACL_SUCCESS) return 1;
  if (aclrtMalloc(&device, 12, ACL_MEM_MALLOC_HUGE_FIRST) != ACL_SUCCESS) return 1;
  if (aclrtMemcpy(device, 12, numbers.data(), 12, ACL_MEMCPY_HOST_TO_DEVICE) != 0) return 1;
  if (aclrtMemcpy(result.data(), 12, device, 12, ACL_MEMCPY_DEVICE_TO_HOST) != 0) return 1;
  std::printf("%d %d %d, Ferry %s\n", result[0], result[1], result[2], ferryVersion());
  return result == numbers ? 0 : 1;
}
