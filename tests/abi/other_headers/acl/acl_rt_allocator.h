// SPDX-License-Identifier: Apache-2.0
// Stands for another copy of the header; see README.md.
#ifndef INC_EXTERNAL_ACL_ACL_RT_ALLOCATOR_H_
#define INC_EXTERNAL_ACL_ACL_RT_ALLOCATOR_H_

#include "acl_base.h"

typedef void *aclrtAllocatorDesc;
#endif
