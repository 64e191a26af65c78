// SPDX-License-Identifier: Apache-2.0
// Makes as many small copies as its argument says and waits for each: cost_when_off.py counts them.
#include "acl/acl.h"

#include <cstddef>
#include <cstdlib>

int main(int count, char** arguments) {
  constexpr size_t kBytes = 64;
  const int copies = count > 1 ? std::atoi(arguments[1]) : 0;
  void* pinned = nullptr;
  void* device = nullptr;
  aclrtStream stream = nullptr;
  bool is_right = aclInit(nullptr) == ACL_SUCCESS && aclrtSetDevice(0) == ACL_SUCCESS &&
                  aclrtMallocHost(&pinned, kBytes) == ACL_SUCCESS &&
                  aclrtMalloc(&device, kBytes, ACL_MEM_MALLOC_NORMAL_ONLY) == ACL_SUCCESS &&
                  aclrtCreateStream(&stream) == ACL_SUCCESS;
  for (int i = 0; i < copies && is_right; ++i) {
    is_right = aclrtMemcpyAsync(device, kBytes, pinned, kBytes, ACL_MEMCPY_HOST_TO_DEVICE,
                                stream) == ACL_SUCCESS &&
               aclrtSynchronizeStream(stream) == ACL_SUCCESS;
  }
  is_right = is_right && aclrtDestroyStream(stream) == ACL_SUCCESS &&
             aclrtFree(device) == ACL_SUCCESS && aclrtFreeHost(pinned) == ACL_SUCCESS &&
             aclrtResetDevice(0) == ACL_SUCCESS && aclFinalize() == ACL_SUCCESS;
  return is_right ? 0 : 1;
}
