// SPDX-License-Identifier: Apache-2.0
// Chapter "set": filling memory with a value. Copies are in copy.h.
#ifndef ACL_RT_MEMSET_H
#define ACL_RT_MEMSET_H

#include "../acl_base_rt.h"

// All calls fill device memory and pinned host memory; those for bytes fill managed memory as they
// fill device memory, those for words refuse it as they refuse pageable memory.

#ifdef __cplusplus
extern "C" {
#endif

/// Fills `count` bytes with one value and returns when it is done. Pageable memory is filled
/// too, but programs should not rely on it.
/// [in] maxCount  capacity at `devPtr` in bytes
/// [in] value  only the low 8 bits are used
/// Blocking: until it is done. It is not ordered with work queued on streams.
/// Returns ACL_SUCCESS, also when `count` is 0 (no other argument is checked then), or
///   ACL_ERROR_INVALID_PARAM     `devPtr` is NULL
///   ACL_ERROR_RT_PARAM_INVALID  `count` is greater than `maxCount`
///   ACL_ERROR_RT_CONTEXT_NULL   no current context
///   ACL_ERROR_RT_PARAM_INVALID  the range is bad
ACL_FUNC_VISIBILITY aclError aclrtMemset(void* devPtr, size_t maxCount, int32_t value,
                                         size_t count);

/// Fills `count` bytes with one value. Device memory: queued on the stream. Host memory, pinned
/// or pageable: done during the call, and not ordered with the stream.
/// [in] maxCount  capacity at `devPtr` in bytes
/// [in] value  only the low 8 bits are used
/// Returns ACL_SUCCESS, also when `count` is 0 (no other argument is checked then), or
///   ACL_ERROR_INVALID_PARAM      `devPtr` is NULL
///   ACL_ERROR_RT_INVALID_HANDLE  `stream` was destroyed or is not a stream
///   ACL_ERROR_RT_PARAM_INVALID   `count` is greater than `maxCount`
///   ACL_ERROR_RT_CONTEXT_NULL    no current context
///   ACL_ERROR_RT_STREAM_CONTEXT  `stream` belongs to another context
///   ACL_ERROR_RT_PARAM_INVALID   the range is bad, in host memory
ACL_FUNC_VISIBILITY aclError aclrtMemsetAsync(void* devPtr, size_t maxCount, int32_t value,
                                              size_t count, aclrtStream stream);

/// Fills `N` words of 32 bits with one value and returns when it is done.
/// [in] memSize  capacity at `ptr` in bytes
/// Blocking: until it is done. It is not ordered with work queued on streams.
/// Returns ACL_SUCCESS, also when `N` is 0 (no other argument is checked then), or
///   ACL_ERROR_INVALID_PARAM           `ptr` is NULL or not a multiple of 4; `memSize` is less
///                                     than 4 * `N`; `ptr` is pageable memory
///   ACL_ERROR_RT_FEATURE_NOT_SUPPORT  the product has no such call
///   ACL_ERROR_RT_CONTEXT_NULL         no current context
///   ACL_ERROR_RT_PARAM_INVALID        the range is bad
ACL_FUNC_VISIBILITY aclError aclrtMemsetD32(void* ptr, size_t memSize, uint32_t value, size_t N);

/// Fills `N` words of 32 bits with one value. Device memory: queued on the stream. Pinned memory:
/// done during the call; the stream is checked only for its handle.
/// [in] memSize  capacity at `ptr` in bytes
/// Returns ACL_SUCCESS, also when `N` is 0 (no other argument is checked then), or
///   ACL_ERROR_INVALID_PARAM           `ptr` is NULL or not a multiple of 4; `memSize` is less
///                                     than 4 * `N`; `ptr` is pageable memory
///   ACL_ERROR_RT_FEATURE_NOT_SUPPORT  the product has no such call
///   ACL_ERROR_RT_INVALID_HANDLE       `stream` was destroyed or is not a stream
///   ACL_ERROR_RT_CONTEXT_NULL         no current context
///   ACL_ERROR_RT_STREAM_CONTEXT       `stream` belongs to another context, for device memory
///   ACL_ERROR_RT_PARAM_INVALID        the range is bad, in host memory
ACL_FUNC_VISIBILITY aclError aclrtMemsetD32Async(void* ptr, size_t memSize, uint32_t value,
                                                 size_t N, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
