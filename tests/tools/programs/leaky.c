/* SPDX-License-Identifier: Apache-2.0 */
/* Frees nothing: the checker reports one leak. */
#include "acl/acl.h"

int main(void) {
  void* memory = 0;
  if (aclInit(0) != ACL_SUCCESS || aclrtSetDevice(0) != ACL_SUCCESS) return 1;
  if (aclrtMalloc(&memory, 64, ACL_MEM_MALLOC_NORMAL_ONLY) != ACL_SUCCESS) return 1;
  return aclFinalize() == ACL_SUCCESS ? 0 : 1;
}
