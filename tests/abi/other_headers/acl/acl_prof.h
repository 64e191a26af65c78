// SPDX-License-Identifier: Apache-2.0
// Stands for another copy of the header; see README.md.
#ifndef INC_EXTERNAL_ACL_PROF_H_
#define INC_EXTERNAL_ACL_PROF_H_

#include "acl_base.h"

typedef enum { ACL_AICORE_ARITHMETIC_UTILIZATION = 0 } aclprofAicoreMetrics;
#endif
