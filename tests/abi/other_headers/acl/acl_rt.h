// SPDX-License-Identifier: Apache-2.0
// Stands for another copy of the header; see README.md.
#ifndef INC_EXTERNAL_ACL_ACL_RT_H_
#define INC_EXTERNAL_ACL_ACL_RT_H_

#include "acl_base.h"
#include "acl_rt_allocator.h"

#ifdef __cplusplus
extern "C" {
#endif
typedef enum aclrtMemcpyKind { ACL_MEMCPY_HOST_TO_HOST = 0, ACL_MEMCPY_DEFAULT = 4 } aclrtMemcpyKind;
typedef enum aclrtMemLocationType { ACL_MEM_LOCATION_TYPE_HOST = 0 } aclrtMemLocationType;
typedef struct aclrtMemLocation {
  uint32_t id;
  aclrtMemLocationType type;
} aclrtMemLocation;
ACL_FUNC_VISIBILITY aclError aclrtMemcpy(void *dst, size_t destMax, const void *src, size_t count,
                                         aclrtMemcpyKind kind);
#ifdef __cplusplus
}
#endif
#endif
