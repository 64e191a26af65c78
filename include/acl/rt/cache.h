// SPDX-License-Identifier: Apache-2.0
// Chapter "cache maintenance": prefetching and writing back the device's cache in stream order.
// Caches are coherent here, so these are hints that change nothing. The chapter exists on products
// of the A2, A3 and 950 series; elsewhere it returns ACL_ERROR_RT_FEATURE_NOT_SUPPORT.
#ifndef ACL_RT_CACHE_H
#define ACL_RT_CACHE_H

#include "../acl_base_rt.h"

#define ACL_RT_CMO_MAX_BARRIER_NUM 6U  ///< most barriers in one wait

#ifdef __cplusplus
extern "C" {
#endif

/// What is done with the cache.
typedef enum aclrtCmoType {
  ACL_RT_CMO_TYPE_PREFETCH = 0,
  ACL_RT_CMO_TYPE_WRITEBACK = 1,
  ACL_RT_CMO_TYPE_INVALID = 2,
  ACL_RT_CMO_TYPE_FLUSH = 3
} aclrtCmoType;

/// A barrier.
typedef struct aclrtBarrierCmoInfo {
  aclrtCmoType cmoType;
  uint32_t barrierId;
} aclrtBarrierCmoInfo;

/// The barriers of one wait.
typedef struct aclrtBarrierTaskInfo {
  size_t barrierNum;
  aclrtBarrierCmoInfo cmoInfo[ACL_RT_CMO_MAX_BARRIER_NUM];
} aclrtBarrierTaskInfo;

/// Queues an operation on the cached contents of a range. The address is not looked at.
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_INVALID_PARAM           `src` is NULL, or `size` is 0
///   ACL_ERROR_RT_FEATURE_NOT_SUPPORT  `cmoType` is not 0 to 3
///   ACL_ERROR_RT_INVALID_HANDLE       `stream` was destroyed or is not a stream
///   ACL_ERROR_RT_CONTEXT_NULL         no current context
///   ACL_ERROR_RT_STREAM_CONTEXT       `stream` belongs to another context
ACL_FUNC_VISIBILITY aclError aclrtCmoAsync(void* src, size_t size, aclrtCmoType cmoType,
                                           aclrtStream stream);

/// The same, with a barrier that can be waited for. No product here has barriers.
/// Returns
///   ACL_ERROR_INVALID_PARAM           `src` is NULL
///   ACL_ERROR_RT_FEATURE_NOT_SUPPORT  otherwise
ACL_FUNC_VISIBILITY aclError aclrtCmoAsyncWithBarrier(void* src, size_t size, aclrtCmoType cmoType,
                                                      uint32_t barrierId, aclrtStream stream);

/// Lets a stream wait for barriers. No product here has barriers.
/// Returns
///   ACL_ERROR_INVALID_PARAM           `taskInfo` is NULL, or its number of barriers is not 1 to 6
///   ACL_ERROR_RT_PARAM_INVALID        the type of a barrier is not ACL_RT_CMO_TYPE_INVALID, or its
///                                     number is 0
///   ACL_ERROR_RT_FEATURE_NOT_SUPPORT  otherwise
ACL_FUNC_VISIBILITY aclError aclrtCmoWaitBarrier(aclrtBarrierTaskInfo* taskInfo, aclrtStream stream,
                                                 uint32_t flag);

/// Reports how much device memory a descriptor takes. Needs no context.
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_RT_PARAM_INVALID  `size` is NULL
ACL_FUNC_VISIBILITY aclError aclrtCmoGetDescSize(size_t* size);

/// Writes a descriptor of a range into device memory, and returns when it is there.
/// [in] size  1 byte to 4 GiB
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_RT_PARAM_INVALID  `cmoDesc` or `src` is NULL, or `size` is 0 or above 4 GiB
///   ACL_ERROR_RT_CONTEXT_NULL   no current context
///   ACL_ERROR_RT_PARAM_INVALID  there is no device memory for a descriptor at `cmoDesc`
ACL_FUNC_VISIBILITY aclError aclrtCmoSetDesc(void* cmoDesc, void* src, size_t size);

/// Queues the operation a descriptor describes.
/// [in] cmoDesc  device memory, aligned to 64 bytes
/// [in] reserve  NULL
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_RT_PARAM_INVALID   `reserve` is not NULL, `cmoDesc` is NULL, or `cmoType` is not 0
///                                to 3
///   ACL_ERROR_RT_INVALID_HANDLE  `stream` was destroyed or is not a stream
///   ACL_ERROR_RT_CONTEXT_NULL    no current context
///   ACL_ERROR_RT_STREAM_CONTEXT  `stream` belongs to another context
///   ACL_ERROR_RT_PARAM_INVALID   `cmoDesc` is not aligned to 64 bytes or not device memory
ACL_FUNC_VISIBILITY aclError aclrtCmoAsyncWithDesc(void* cmoDesc, aclrtCmoType cmoType,
                                                   aclrtStream stream, const void* reserve);

#ifdef __cplusplus
}
#endif

#endif
