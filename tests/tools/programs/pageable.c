/* SPDX-License-Identifier: Apache-2.0 */
/* Copies pageable memory twice on a stream of its own: both calls block. */
#include "acl/acl.h"

int main(void) {
  char host[64] = {0};
  void* device = 0;
  aclrtStream stream = 0;
  if (aclInit(0) != ACL_SUCCESS || aclrtSetDevice(0) != ACL_SUCCESS) return 1;
  if (aclrtCreateStream(&stream) != ACL_SUCCESS) return 1;
  if (aclrtMalloc(&device, sizeof host, ACL_MEM_MALLOC_NORMAL_ONLY) != ACL_SUCCESS) return 1;
  for (int i = 0; i < 2; ++i) {
    if (aclrtMemcpyAsync(device, sizeof host, host, sizeof host, ACL_MEMCPY_HOST_TO_DEVICE, stream) !=
        ACL_SUCCESS) {
      return 1;
    }
  }
  return aclrtDestroyStream(stream) == ACL_SUCCESS && aclrtResetDevice(0) == ACL_SUCCESS ? 0 : 1;
}
