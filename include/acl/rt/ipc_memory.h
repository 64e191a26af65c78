// SPDX-License-Identifier: Apache-2.0
// Chapter "memory of other processes": sharing device memory by a key. Nothing in this chapter is
// supported.
#ifndef ACL_RT_IPC_MEMORY_H
#define ACL_RT_IPC_MEMORY_H

#include "../acl_base_rt.h"

// Flags of export and import.
#define ACL_RT_IPC_MEM_EXPORT_FLAG_DEFAULT 0x0UL
#define ACL_RT_IPC_MEM_EXPORT_FLAG_DISABLE_PID_VALIDATION 0x1UL
#define ACL_RT_IPC_MEM_IMPORT_FLAG_DEFAULT 0x0UL
#define ACL_RT_IPC_MEM_IMPORT_FLAG_ENABLE_PEER_ACCESS 0x1UL

// Values of ACL_RT_IPC_MEM_ATTR_ACCESS_LINK.
#define ACL_RT_IPC_MEM_ATTR_ACCESS_LINK_SIO 0
#define ACL_RT_IPC_MEM_ATTR_ACCESS_LINK_HCCS 1
#define ACL_RT_IPC_MEM_ATTR_ACCESS_LINK_UB_ONE_PORT_PATH 2
#define ACL_RT_IPC_MEM_ATTR_ACCESS_LINK_UB_MULTI_PORT_PATH 3

#ifdef __cplusplus
extern "C" {
#endif

/// What aclrtIpcMemSetAttr sets.
typedef enum aclrtIpcMemAttrType { ACL_RT_IPC_MEM_ATTR_ACCESS_LINK = 0 } aclrtIpcMemAttrType;

/// Processes on one server.
typedef struct aclrtServerPid {
  uint32_t sdid;
  int32_t* pid;
  size_t num;
} aclrtServerPid;

/// Creates a key with which another process can use device memory. Not supported.
ACL_FUNC_VISIBILITY aclError aclrtIpcMemGetExportKey(void* devPtr, size_t size, char* key,
                                                     size_t len, uint64_t flags);

/// Names the processes that may use a key. Not supported.
ACL_FUNC_VISIBILITY aclError aclrtIpcMemSetImportPid(const char* key, int32_t* pid, size_t num);

/// Names processes on other servers that may use a key. Not supported.
ACL_FUNC_VISIBILITY aclError aclrtIpcMemImportPidInterServer(const char* key,
                                                             aclrtServerPid* serverPids,
                                                             size_t num);

/// Sets how the memory of a key is accessed. Not supported.
ACL_FUNC_VISIBILITY aclError aclrtIpcMemSetAttr(const char* key, aclrtIpcMemAttrType type,
                                                uint64_t attr);

/// Maps the memory of a key. Not supported.
ACL_FUNC_VISIBILITY aclError aclrtIpcMemImportByKey(void** devPtr, const char* key, uint64_t flags);

/// Undoes an export or import. Not supported.
ACL_FUNC_VISIBILITY aclError aclrtIpcMemClose(const char* key);

#ifdef __cplusplus
}
#endif

#endif
