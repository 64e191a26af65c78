// SPDX-License-Identifier: Apache-2.0
// Stands for another copy of the header; see README.md.
#ifndef INC_EXTERNAL_ACL_ACL_TDT_QUEUE_H_
#define INC_EXTERNAL_ACL_ACL_TDT_QUEUE_H_

#include "acl/acl_base.h"

typedef enum { ACL_TDT_QUEUE_NAME_PTR = 0 } acltdtQueueAttrType;
#endif
