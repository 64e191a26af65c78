/* SPDX-License-Identifier: Apache-2.0 */
/* A user's C program: bytes to the device and back. */
#include "acl/acl.h"

#include <stdio.h>
#include <string.h>

int main(void) {
  char text[] = "there and back";
  char result[sizeof text] = "";
  void* device = NULL;
  if (aclInit(NULL) != ACL_SUCCESS || aclrtSetDevice(0) != ACL_SUCCESS) return 1;
  if (aclrtMalloc(&device, sizeof text, ACL_MEM_MALLOC_HUGE_FIRST) != ACL_SUCCESS) return 1;
  if (aclrtMemcpy(device, sizeof text, text, sizeof text, ACL_MEMCPY_HOST_TO_DEVICE) != 0) return 1;
  if (aclrtMemcpy(result, sizeof text, device, sizeof text, ACL_MEMCPY_DEVICE_TO_HOST) != 0)
    return 1;
  puts(result);
  return strcmp(text, result) == 0 && aclrtFree(device) == 0 && aclFinalize() == 0 ? 0 : 1;
}
