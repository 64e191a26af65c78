// SPDX-License-Identifier: Apache-2.0
// Chapter "cache maintenance": prefetching and writing back the device's cache in stream order.
// Nothing in this chapter is supported.
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

/// Queues an operation on the cached contents of a range. Not supported.
ACL_FUNC_VISIBILITY aclError aclrtCmoAsync(void* src, size_t size, aclrtCmoType cmoType,
                                           aclrtStream stream);

/// The same, with a barrier that can be waited for. Not supported.
ACL_FUNC_VISIBILITY aclError aclrtCmoAsyncWithBarrier(void* src, size_t size, aclrtCmoType cmoType,
                                                      uint32_t barrierId, aclrtStream stream);

/// Lets a stream wait for barriers. Not supported.
ACL_FUNC_VISIBILITY aclError aclrtCmoWaitBarrier(aclrtBarrierTaskInfo* taskInfo, aclrtStream stream,
                                                 uint32_t flag);

/// Reports how much device memory a descriptor takes. Not supported.
ACL_FUNC_VISIBILITY aclError aclrtCmoGetDescSize(size_t* size);

/// Writes a descriptor. Not supported.
ACL_FUNC_VISIBILITY aclError aclrtCmoSetDesc(void* cmoDesc, void* src, size_t size);

/// Queues the operation a descriptor describes. Not supported.
ACL_FUNC_VISIBILITY aclError aclrtCmoAsyncWithDesc(void* cmoDesc, aclrtCmoType cmoType,
                                                   aclrtStream stream, const void* reserve);

#ifdef __cplusplus
}
#endif

#endif
