// SPDX-License-Identifier: Apache-2.0
// Stands for another copy of the header; see README.md.
#ifndef INC_EXTERNAL_ACL_ACL_BASE_H_
#define INC_EXTERNAL_ACL_ACL_BASE_H_

#include <stddef.h>
#include <stdint.h>

#include "error_codes/rt_error_codes.h"

#ifdef __cplusplus
extern "C" {
#endif
#define ACL_FUNC_VISIBILITY __attribute__((visibility("default")))
typedef void *aclrtStream;
typedef void *aclrtEvent;
typedef int aclError;
typedef struct aclDataBuffer aclDataBuffer;
typedef struct aclTensorDesc aclTensorDesc;
static const int ACL_ERROR_INVALID_PARAM = 100000;
typedef enum { ACL_DT_UNDEFINED = -1, ACL_FLOAT = 0 } aclDataType;
typedef enum { ACL_FORMAT_UNDEFINED = -1, ACL_FORMAT_NCHW = 0 } aclFormat;
typedef enum { ACL_MEMTYPE_DEVICE = 0, ACL_MEMTYPE_HOST = 1 } aclMemType;
ACL_FUNC_VISIBILITY size_t aclDataTypeSize(aclDataType dataType);
#ifdef __cplusplus
}
#endif
#endif
