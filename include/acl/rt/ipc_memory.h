// SPDX-License-Identifier: Apache-2.0
// Chapter "memory of other processes": sharing device memory by a key. All functions need a context
// (ACL_ERROR_RT_CONTEXT_NULL), which is checked behind the arguments. Closing waits for no stream:
// a copy that has begun finishes first, and one that has not begun fails.
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

/// Creates a key with which other processes on this server can use a range of device memory, inside
/// one allocation of aclrtMalloc* or one mapping. Each call makes a new key. A key dies when it is
/// closed, when the memory is freed, and with the process; processes that have imported the memory
/// keep it until they close it.
/// [in] devPtr  the start of an allocation or mapping, or of one of its pages
/// [out] key    65 bytes of text, with the final 0
/// [in] len     size of `key`: 65 or more
/// [in] flags   0: only processes named by aclrtIpcMemSetImportPid can import it; 1: all of this
///              user
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_INVALID_PARAM           a pointer is NULL
///   ACL_ERROR_RT_PARAM_INVALID        `size` is 0, `flags` is not 0 or 1, or `len` is below 65
///   ACL_ERROR_RT_DRV_INTERNAL_ERROR   the range is not device memory, leaves its allocation,
///                                     starts inside a page, is managed or pool memory, or its
///                                     memory was exported or imported
///   ACL_ERROR_RT_FEATURE_NOT_SUPPORT  the device cannot share memory
///   ACL_ERROR_RT_MEMORY_ALLOCATION    the system has no memory or no file for it
ACL_FUNC_VISIBILITY aclError aclrtIpcMemGetExportKey(void* devPtr, size_t size, char* key,
                                                     size_t len, uint64_t flags);

/// Names processes that may import the memory of a key, in addition to those named before. Only the
/// exporter can do this.
/// [in] num  1 to 31
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_INVALID_PARAM          a pointer is NULL
///   ACL_ERROR_RT_PARAM_INVALID       `num` is not 1 to 31
///   ACL_ERROR_RT_NO_PERMISSION       the key is for all processes
///   ACL_ERROR_RT_DRV_INTERNAL_ERROR  this process has no such key
ACL_FUNC_VISIBILITY aclError aclrtIpcMemSetImportPid(const char* key, int32_t* pid, size_t num);

/// Names processes by their servers. Products of the A3 series only; only devices of this server
/// are known.
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_RT_PARAM_INVALID        a pointer is NULL, or a number is 0
///   ACL_ERROR_RT_FEATURE_NOT_SUPPORT  another product, or an sdid that is no device of this server
///   and as aclrtIpcMemSetImportPid
ACL_FUNC_VISIBILITY aclError aclrtIpcMemImportPidInterServer(const char* key,
                                                             aclrtServerPid* serverPids,
                                                             size_t num);

/// Sets by which link the memory of a key is accessed. It has no effect. Products of the A3 series
/// only.
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_RT_PARAM_INVALID            `key` is NULL, `type` is not 0, or `attr` is above 3
///   ACL_ERROR_RT_FEATURE_NOT_SUPPORT      another product
///   ACL_ERROR_RT_LINK_TYPE_NOT_SUPPORTED  `attr` is 2 or 3
ACL_FUNC_VISIBILITY aclError aclrtIpcMemSetAttr(const char* key, aclrtIpcMemAttrType type,
                                                uint64_t attr);

/// Gets an address of the current device for the memory of a key. The same key again, on the same
/// device, gives the same address, which lives until it was closed as often. The memory does not
/// count against the capacity of the device, and cannot be freed or exported.
/// [in] flags  1: enable peer access to the exporter's device
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_INVALID_PARAM          a pointer is NULL
///   ACL_ERROR_RT_PARAM_INVALID       `flags` is not 0 or 1, or the key is empty or longer than 64
///                                    characters
///   ACL_ERROR_RT_DRV_INTERNAL_ERROR  no process offers it, or this process may not import it
ACL_FUNC_VISIBILITY aclError aclrtIpcMemImportByKey(void** devPtr, const char* key, uint64_t flags);

/// Undoes one import of the key, the oldest first. In the process that has exported the key, and
/// has no import of it left, the key dies; its memory stays allocated.
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_INVALID_PARAM          `key` is NULL
///   ACL_ERROR_RT_DRV_INTERNAL_ERROR  this process has neither imported nor exported it
ACL_FUNC_VISIBILITY aclError aclrtIpcMemClose(const char* key);

#ifdef __cplusplus
}
#endif

#endif
