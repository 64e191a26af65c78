// SPDX-License-Identifier: Apache-2.0
// Chapter "copy of rows": copying a rectangle whose rows are at equal distances. Plain copies are
// in copy.h.
#ifndef ACL_RT_COPY_2D_H
#define ACL_RT_COPY_2D_H

#include "../acl_base_rt.h"
#include "memory_types.h"

// Row i is copied from src + i * spitch to dst + i * dpitch. Limits: 5000000 bytes per row,
// 5242880 rows.

#ifdef __cplusplus
extern "C" {
#endif

/// Copies `height` rows of `width` bytes between host and device, and returns when they have
/// arrived. The direction follows from the addresses.
/// [in] dpitch, spitch  bytes from one row to the next
/// [in] kind  ACL_MEMCPY_HOST_TO_DEVICE, ACL_MEMCPY_DEVICE_TO_HOST or ACL_MEMCPY_DEFAULT
/// Blocking: until the copy is done. It is not ordered with work queued on streams.
/// Returns ACL_SUCCESS, also when `width` or `height` is 0 (no other argument is checked then), or
///   ACL_ERROR_INVALID_PARAM           `dst` or `src` is NULL; `width` is greater than `spitch`
///                                     or `dpitch`; `kind` is not 1 to 4
///   ACL_ERROR_RT_PARAM_INVALID        `height` is greater than 5242880, or `width` greater than
///                                     5000000
///   ACL_ERROR_RT_FEATURE_NOT_SUPPORT  `kind` is ACL_MEMCPY_DEVICE_TO_DEVICE
///   ACL_ERROR_RT_CONTEXT_NULL         no current context
///   ACL_ERROR_RT_PARAM_INVALID        both addresses are host memory, or both are device
///                                     memory; or a range is bad
ACL_FUNC_VISIBILITY aclError aclrtMemcpy2d(void* dst, size_t dpitch, const void* src, size_t spitch,
                                           size_t width, size_t height, aclrtMemcpyKind kind);

/// Copies `height` rows of `width` bytes in stream order: between host and device, or inside a
/// device. Pageable memory: the call waits for the stream, then copies, then returns.
/// [in] dpitch, spitch  bytes from one row to the next
/// [in] kind  1 to 4, as for aclrtMemcpyAsync
/// Blocking: with pageable memory until the copy is done; otherwise not.
/// Returns ACL_SUCCESS, also when `width` or `height` is 0 (no other argument is checked then), or
///   ACL_ERROR_INVALID_PARAM           `dst` or `src` is NULL; `width` is greater than `spitch`
///                                     or `dpitch`; `kind` is not 1 to 4
///   ACL_ERROR_RT_INVALID_HANDLE       `stream` was destroyed or is not a stream
///   ACL_ERROR_RT_PARAM_INVALID        `stream` is NULL and there is no current context
///   ACL_ERROR_RT_PARAM_INVALID        `height` is greater than 5242880, or `width` greater than
///                                     5000000
///   ACL_ERROR_RT_CONTEXT_NULL         no current context
///   ACL_ERROR_RT_PARAM_INVALID        both addresses are host memory; or one side is pageable
///                                     memory, and `kind` is neither the true direction nor
///                                     ACL_MEMCPY_DEFAULT
///   (a task's code)                   of an earlier task of the stream, with pageable memory;
///                                     nothing was copied
///   ACL_ERROR_RT_PARAM_INVALID        a range is bad, with pageable memory
///   ACL_ERROR_RT_STREAM_CONTEXT       `stream` belongs to another context, unless the call
///                                     copied pageable memory
///   ACL_ERROR_RT_FEATURE_NOT_SUPPORT  both addresses are device memory, and the product has no
///                                     such copies (A2, A3 and 950 series have)
///   ACL_ERROR_RT_PARAM_INVALID        the copy goes to another device without peer access
ACL_FUNC_VISIBILITY aclError aclrtMemcpy2dAsync(void* dst, size_t dpitch, const void* src,
                                                size_t spitch, size_t width, size_t height,
                                                aclrtMemcpyKind kind, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
