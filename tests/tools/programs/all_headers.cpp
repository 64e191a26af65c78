// SPDX-License-Identifier: Apache-2.0
// Includes every public header as C++, and uses an overload of acl_rt_api.h.
#include "hccl/hccl.h"
#include "ms_tools_ext.h"

#include "acl/acl.h"
#include "acl/acl_base_mdl.h"
#include "acl/acl_dump.h"
#include "acl/acl_op_compiler.h"
#include "acl/acl_platform.h"
#include "acl/acl_prof.h"
#include "acl/acl_rt_api.h"
#include "acl/acl_rt_memory_soma.h"
#include "acl/acl_tdt.h"
#include "acl/acl_tdt_queue.h"
#include "ferry/companion.h"
#include "ferry/ferry.h"

#include <cstdio>

int main() {
  if (aclrtSetDevice(0) != ACL_SUCCESS) return 1;
  float* device = nullptr;
  float host[4] = {1, 2, 3, 4};
  float back[4] = {};
  if (aclrtMalloc(&device, sizeof host) != ACL_SUCCESS) return 2;
  const float* source = host;
  if (aclrtMemcpy(device, sizeof host, source, sizeof host, ACL_MEMCPY_HOST_TO_DEVICE) != 0)
    return 3;
  if (aclrtMemcpy(back, sizeof back, device, sizeof back, ACL_MEMCPY_DEVICE_TO_HOST) != 0) return 4;
  if (back[3] != 4) return 5;
  if (aclrtFree(device) != ACL_SUCCESS || aclrtSynchronizeDevice(1000) != ACL_SUCCESS) return 6;
  if (aclrtResetDevice(0) != ACL_SUCCESS) return 7;
  std::puts("loaded");
  return 0;
}
