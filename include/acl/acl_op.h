// SPDX-License-Identifier: Apache-2.0
// Attributes of operators: plain containers. The functions are in libacl_op_compiler.so. Operators
// are not part of Ferry.
#ifndef INC_EXTERNAL_ACL_ACL_OP_H_
#define INC_EXTERNAL_ACL_ACL_OP_H_

#include "acl_base.h"
#include "acl_dump.h"
#include "acl_rt.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Attributes of an operator, by name.
typedef struct aclopAttr aclopAttr;
typedef struct aclopHandle aclopHandle;
typedef struct aclopKernelDesc aclopKernelDesc;

/// Which cores run an operator.
typedef enum aclEngineType {
  ACL_ENGINE_SYS = 0,
  ACL_ENGINE_AICORE = 1,
  ACL_ENGINE_VECTOR = 2
} aclopEngineType;

/// Creates an empty set of attributes.
ACL_FUNC_VISIBILITY aclopAttr* aclopCreateAttr(void);

/// Destroys attributes; NULL is allowed.
ACL_FUNC_VISIBILITY void aclopDestroyAttr(const aclopAttr* attr);

/// Each of the following sets one attribute; the last value of a name counts. Values are copied.
/// Returns ACL_ERROR_INVALID_PARAM for attr or attrName NULL.
ACL_FUNC_VISIBILITY aclError aclopSetAttrBool(aclopAttr* attr, const char* attrName,
                                              uint8_t attrValue);

/// Returns as aclopSetAttrBool.
ACL_FUNC_VISIBILITY aclError aclopSetAttrInt(aclopAttr* attr, const char* attrName,
                                             int64_t attrValue);

/// Returns as aclopSetAttrBool.
ACL_FUNC_VISIBILITY aclError aclopSetAttrFloat(aclopAttr* attr, const char* attrName,
                                               float attrValue);

/// Returns as aclopSetAttrBool; also ACL_ERROR_INVALID_PARAM for attrValue NULL.
ACL_FUNC_VISIBILITY aclError aclopSetAttrString(aclopAttr* attr, const char* attrName,
                                                const char* attrValue);

/// Returns as aclopSetAttrBool.
ACL_FUNC_VISIBILITY aclError aclopSetAttrDataType(aclopAttr* attr, const char* attrName,
                                                  aclDataType attrValue);

/// Returns as aclopSetAttrBool; also ACL_ERROR_INVALID_PARAM for a negative number, or values NULL
/// with a number above 0. The same holds for the other lists.
ACL_FUNC_VISIBILITY aclError aclopSetAttrListBool(aclopAttr* attr, const char* attrName,
                                                  int numValues, const uint8_t* values);

/// Returns as aclopSetAttrListBool.
ACL_FUNC_VISIBILITY aclError aclopSetAttrListInt(aclopAttr* attr, const char* attrName,
                                                 int numValues, const int64_t* values);

/// Returns as aclopSetAttrListBool.
ACL_FUNC_VISIBILITY aclError aclopSetAttrListFloat(aclopAttr* attr, const char* attrName,
                                                   int numValues, const float* values);

/// Returns as aclopSetAttrListBool; also ACL_ERROR_INVALID_PARAM if one of the lists is NULL.
ACL_FUNC_VISIBILITY aclError aclopSetAttrListListInt(aclopAttr* attr, const char* attrName,
                                                     int numLists, const int* numValues,
                                                     const int64_t* const* values);

#ifdef __cplusplus
}
#endif

#endif
