// SPDX-License-Identifier: Apache-2.0
// Stands for another copy of the header; see README.md.
#ifndef INC_EXTERNAL_ACL_ACL_OP_COMPILER_H_
#define INC_EXTERNAL_ACL_ACL_OP_COMPILER_H_

#include "acl_base.h"
#include "acl_op.h"

typedef enum aclCompileType { ACL_COMPILE_SYS = 0 } aclopCompileType;
#ifdef __cplusplus
extern "C"
#endif
    ACL_FUNC_VISIBILITY aclError
    aclopCompileAndExecute(const char *opType, int numInputs, const aclTensorDesc *const inputDesc[],
                           const aclDataBuffer *const inputs[], int numOutputs,
                           const aclTensorDesc *const outputDesc[], aclDataBuffer *const outputs[],
                           const aclopAttr *attr, aclopEngineType engineType,
                           aclopCompileType compileFlag, const char *opPath, aclrtStream stream);
#endif
