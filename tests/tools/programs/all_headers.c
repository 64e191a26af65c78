// SPDX-License-Identifier: Apache-2.0
// Includes every public header as C, and uses one function of each library.
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

#include <stdio.h>

int main(void) {
  acltdtDataset* set = acltdtCreateDataset();
  acltdtQueueRouteList* list = acltdtCreateQueueRouteList();
  aclopAttr* attributes = aclopCreateAttr();
  if (set == NULL || list == NULL || attributes == NULL) return 1;
  aclopDestroyAttr(attributes);
  if (acltdtDestroyDataset(set) != 0 || acltdtDestroyQueueRouteList(list) != 0) return 2;
  if (HcclCommDestroy(NULL) != HCCL_E_NOT_SUPPORT) return 3;
  mstxRangeEnd(mstxRangeStartA("range", NULL));
  char name[64];
  if (aclplatformGetDeviceInfo(ACL_PLATFORM_SOC_VERSION, name, sizeof name) != 0) return 4;
  puts("loaded");
  return 0;
}
