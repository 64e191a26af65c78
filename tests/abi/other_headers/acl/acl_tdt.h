// SPDX-License-Identifier: Apache-2.0
// Stands for another copy of the header; see README.md.
#ifndef INC_EXTERNAL_ACL_ACL_TDT_H_
#define INC_EXTERNAL_ACL_ACL_TDT_H_

#include "acl/acl_base.h"

enum acltdtTensorType { ACL_TENSOR_DATA_UNDEFINED = -1 };
typedef struct acltdtDataItem acltdtDataItem;
#endif
