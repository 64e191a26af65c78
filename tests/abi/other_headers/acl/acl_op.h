// SPDX-License-Identifier: Apache-2.0
// Stands for another copy of the header; see README.md.
#ifndef INC_EXTERNAL_ACL_ACL_OP_H_
#define INC_EXTERNAL_ACL_ACL_OP_H_

#include "acl_base.h"
#include "acl_rt.h"

typedef struct aclopAttr aclopAttr;
typedef enum aclEngineType { ACL_ENGINE_SYS = 0 } aclopEngineType;
#endif
