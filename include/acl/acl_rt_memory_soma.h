// SPDX-License-Identifier: Apache-2.0
// Chapter "memory pool": device memory that is allocated and freed in stream order. Plain device
// memory is in rt/device_memory.h.
#ifndef INC_EXTERNAL_ACL_RT_MEMORY_H_
#define INC_EXTERNAL_ACL_RT_MEMORY_H_

#include "acl_base.h"
#include "acl_rt.h"

// A pool takes memory from its device as it is needed, and keeps what is freed as idle memory:
// blocks that can be given out again. Sizes and addresses are multiples of 2 MiB. Memory that is
// taken counts in aclrtGetMemInfo, whether it is in use or idle. Pools and their blocks outlive
// aclrtResetDevice.

#ifdef __cplusplus
extern "C" {
#endif

/// Handle of a memory pool.
typedef void* aclrtMemPool;

/// Settings and figures of a pool. 1 to 3 are uint32_t, 0 or 1; 4 to 8 are uint64_t, in bytes. All
/// are 0 at first.
typedef enum aclrtMemPoolAttr {
  ACL_RT_MEM_POOL_REUSE_FOLLOW_EVENT_DEPENDENCIES = 1,    ///< no effect: see aclrtMemPoolFreeAsync
  ACL_RT_MEM_POOL_REUSE_ALLOW_OPPORTUNISTIC = 2,          ///< no effect
  ACL_RT_MEM_POOL_REUSE_ALLOW_INTERNAL_DEPENDENCIES = 3,  ///< no effect
  ACL_RT_MEM_POOL_ATTR_RELEASE_THRESHOLD = 4,     ///< idle memory that a synchronisation leaves
  ACL_RT_MEM_POOL_ATTR_RESERVED_MEM_CURRENT = 5,  ///< taken from the device; read-only
  ACL_RT_MEM_POOL_ATTR_RESERVED_MEM_HIGH = 6,     ///< its peak
  ACL_RT_MEM_POOL_ATTR_USED_MEM_CURRENT = 7,      ///< in use; read-only
  ACL_RT_MEM_POOL_ATTR_USED_MEM_HIGH = 8          ///< its peak
} aclrtMemPoolAttr;

/// How to create a pool.
typedef struct aclrtMemPoolProps {
  aclrtMemAllocationType allocType;  ///< ACL_MEM_ALLOCATION_TYPE_PINNED
  aclrtMemHandleType handleType;     ///< either; pools are not shared between processes
  aclrtMemLocation location;         ///< a device
  size_t maxSize;                    ///< most the pool takes; 0: all memory of the device
  unsigned char reserved[32];        ///< 0
} aclrtMemPoolProps;

/// Creates a pool. It takes no memory yet.
/// [out] memPool  to be destroyed with aclrtMemPoolDestroy
/// [in] poolProps  `maxSize` is rounded up to 2 MiB
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_INVALID_PARAM       a pointer is NULL; `allocType` is not 0, the location is no
///                                 device, or a reserved byte is not 0
///   ACL_ERROR_RT_INVALID_DEVICEID there is no such device
///   ACL_ERROR_RT_CONTEXT_NULL     no current context
///   ACL_ERROR_RT_PARAM_INVALID    `handleType` is not 0 or 2; `maxSize` is more than the device
///   has
ACL_FUNC_VISIBILITY aclError aclrtMemPoolCreate(aclrtMemPool* memPool,
                                                const aclrtMemPoolProps* poolProps);

/// Destroys a pool and returns its idle memory. Blocks in use stay valid until they are freed; then
/// their memory goes back to the device.
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_INVALID_PARAM      `memPool` is NULL
///   ACL_ERROR_RT_INTERNAL_ERROR  it is not a live pool
ACL_FUNC_VISIBILITY aclError aclrtMemPoolDestroy(const aclrtMemPool memPool);

/// Changes a setting of a pool: 1 to 3, the threshold (4), or a peak (6, 8), which 0 resets to what
/// there is now.
/// [in] value  uint32_t or uint64_t, see aclrtMemPoolAttr
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_INVALID_PARAM      `memPool` is NULL
///   ACL_ERROR_RT_PARAM_INVALID   `value` is NULL; `memPool` is not a live pool; the attribute is
///                                read-only
///   ACL_ERROR_RT_INTERNAL_ERROR  the attribute is unknown, the threshold exceeds the size of the
///                                pool, or a peak is set to another value than 0
ACL_FUNC_VISIBILITY aclError aclrtMemPoolSetAttr(aclrtMemPool memPool, aclrtMemPoolAttr attr,
                                                 void* value);

/// Reads a setting or figure of a pool.
/// [out] value  uint32_t or uint64_t, see aclrtMemPoolAttr
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_INVALID_PARAM      `memPool` is NULL
///   ACL_ERROR_RT_PARAM_INVALID   `value` is NULL; `memPool` is not a live pool
///   ACL_ERROR_RT_INTERNAL_ERROR  the attribute is unknown
ACL_FUNC_VISIBILITY aclError aclrtMemPoolGetAttr(aclrtMemPool memPool, aclrtMemPoolAttr attr,
                                                 void* value);

/// Allocates a block for work that is queued on the stream from now on. Other streams may use it
/// once they have waited for the stream, or the host has.
/// [out] ptr  address, known when the call returns; untouched if `size` is 0
/// [in] size  bytes, rounded up to 2 MiB
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_INVALID_PARAM      `ptr`, `memPool` or `stream` is NULL
///   ACL_ERROR_RT_INVALID_HANDLE  `stream` is not a live stream
///   ACL_ERROR_RT_CONTEXT_NULL    no current context
///   ACL_ERROR_RT_STREAM_CONTEXT  `stream` belongs to another context
///   ACL_ERROR_RT_INTERNAL_ERROR  `memPool` is not a live pool
///   ACL_ERROR_RT_PARAM_INVALID   `size` overflows when it is rounded up
///   ACL_ERROR_RT_INTERNAL_ERROR  the pool is full, or the device has not enough memory left
ACL_FUNC_VISIBILITY aclError aclrtMemPoolMallocAsync(void** ptr, size_t size, aclrtMemPool memPool,
                                                     aclrtStream stream);

/// Frees a block when the stream gets there; work queued on the stream behind it must not use the
/// block. The pool may give the block to this stream again at once, and to other streams when the
/// free has run. Memory of no pool is freed by aclrtFree when the stream gets there, and an error
/// is dropped. aclrtFree frees a block without waiting for a stream.
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_INVALID_PARAM      `ptr` is NULL
///   ACL_ERROR_RT_INVALID_HANDLE  `stream` is not a live stream
///   ACL_ERROR_RT_INTERNAL_ERROR  `stream` is NULL
///   ACL_ERROR_RT_CONTEXT_NULL    no current context
///   ACL_ERROR_RT_STREAM_CONTEXT  `stream` belongs to another context
///   ACL_ERROR_RT_PARAM_INVALID   `ptr` lies in a pool, but is not the start of a block in use
ACL_FUNC_VISIBILITY aclError aclrtMemPoolFreeAsync(void* ptr, aclrtStream stream);

/// Returns idle memory to the device until `minBytesToKeep` are left, or what is in use. A block
/// whose free has not run is in use.
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_INVALID_PARAM      `memPool` is NULL
///   ACL_ERROR_RT_INTERNAL_ERROR  it is not a live pool, or `minBytesToKeep` exceeds its size
ACL_FUNC_VISIBILITY aclError aclrtMemPoolTrimTo(aclrtMemPool memPool, size_t minBytesToKeep);

#ifdef __cplusplus
}
#endif

#endif
