// SPDX-License-Identifier: Apache-2.0
// Stands for another copy of the header; see README.md.
#ifndef INC_EXTERNAL_ACL_ACL_MODEL_H_
#define INC_EXTERNAL_ACL_ACL_MODEL_H_

#include "acl_base.h"
#include "acl_rt.h"

typedef void *aclmdlRI;
typedef enum { ACL_MODEL_RI_CAPTURE_MODE_GLOBAL = 0 } aclmdlRICaptureMode;
typedef enum { ACL_MODEL_RI_CAPTURE_STATUS_NONE = 0 } aclmdlRICaptureStatus;
#endif
