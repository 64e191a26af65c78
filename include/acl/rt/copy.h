// SPDX-License-Identifier: Apache-2.0
// Chapter "copy": copying one block of memory. Copies of rows are in copy_2d.h, many blocks at once
// in copy_batch.h, copies whose addresses are in device memory in copy_descriptor.h, filling in
// memset.h.
#ifndef ACL_RT_COPY_H
#define ACL_RT_COPY_H

#include "../acl_base_rt.h"
#include "memory_types.h"

// Which side managed memory is on is said in managed_memory.h; with it every `kind` from 0 to 4 is
// right. A copy between two devices needs aclrtDeviceEnablePeerAccess first on products of the A2
// series; without it the copy is refused with ACL_ERROR_RT_PARAM_INVALID. Addresses and sizes need
// no alignment.

#ifdef __cplusplus
extern "C" {
#endif

/// Copies `count` bytes on the calling thread and returns when they have arrived. The direction
/// follows from the addresses; all four work, and `kind` is only checked for its range.
/// [in] destMax  capacity at `dst` in bytes
/// Blocking: until the copy is done. It is not ordered with work queued on streams, and waits
/// for none.
/// Returns ACL_SUCCESS, also when `count` is 0 (no other argument is checked then), or
///   ACL_ERROR_INVALID_PARAM     `dst` or `src` is NULL, or `kind` is not 0 to 5
///   ACL_ERROR_RT_PARAM_INVALID  `destMax` is 0, or `count` is greater than `destMax`
///   ACL_ERROR_RT_CONTEXT_NULL   no current context, unless `dst` equals `src`: then there is
///                               nothing to do
///   ACL_ERROR_RT_PARAM_INVALID  the range at `dst` or `src` is bad, or the copy goes to another
///                               device without peer access
ACL_FUNC_VISIBILITY aclError aclrtMemcpy(void* dst, size_t destMax, const void* src, size_t count,
                                         aclrtMemcpyKind kind);

/// Copies `count` bytes in stream order. Device, pinned and managed memory: it is queued. Pageable
/// memory: the call waits for the stream, then copies, then returns. The direction follows from the
/// addresses, and a `kind` that does not fit is corrected; with pageable memory `kind` must be the
/// true direction or ACL_MEMCPY_DEFAULT. With ACL_MEMCPY_HOST_TO_BUF_TO_DEVICE the source is read
/// during the call, from pinned or pageable memory, and the copy is queued: the source may be
/// changed or freed as soon as the call returns. In all other queued copies neither side may
/// change until the stream is synchronised.
/// [in] destMax  capacity at `dst` in bytes
/// Blocking: with pageable memory until the copy is done; otherwise not.
/// Returns ACL_SUCCESS, also when `count` is 0 (no other argument is checked then), or
///   ACL_ERROR_INVALID_PARAM           `dst` or `src` is NULL, or `kind` is not 0 to 5
///   ACL_ERROR_RT_INVALID_HANDLE       `stream` was destroyed or is not a stream
///   ACL_ERROR_RT_PARAM_INVALID        `count` is greater than `destMax`
///   ACL_ERROR_RT_CONTEXT_NULL         no current context
///   ACL_ERROR_RT_PARAM_INVALID        `kind` is ACL_MEMCPY_HOST_TO_BUF_TO_DEVICE, and `src` is
///                                     device memory or `dst` is not
///   ACL_ERROR_RT_FEATURE_NOT_SUPPORT  both addresses are host memory, whatever `kind` says
///   ACL_ERROR_RT_PARAM_INVALID        one side is pageable memory, and `kind` is neither the
///                                     true direction nor ACL_MEMCPY_DEFAULT
///   (a task's code)                   of an earlier task of the stream, with pageable memory;
///                                     nothing was copied
///   ACL_ERROR_RT_PARAM_INVALID        a range is bad: both are checked with pageable memory, the
///                                     source with HOST_TO_BUF_TO_DEVICE
///   ACL_ERROR_RT_STREAM_CONTEXT       `stream` belongs to another context, unless the call
///                                     copied pageable memory
///   ACL_ERROR_RT_PARAM_INVALID        the copy goes to another device without peer access
/// If `dst` equals `src`, checks up to the kind are made and nothing is queued. A queued copy
/// that fails when it runs leaves ACL_ERROR_RT_TS_ERROR on its stream.
ACL_FUNC_VISIBILITY aclError aclrtMemcpyAsync(void* dst, size_t destMax, const void* src,
                                              size_t count, aclrtMemcpyKind kind,
                                              aclrtStream stream);

/// The same as aclrtMemcpyAsync in every respect; kept for older programs.
/// [in] destMax  capacity at `dst` in bytes
/// Blocking: with pageable memory until the copy is done; otherwise not.
/// Returns what aclrtMemcpyAsync returns.
ACL_FUNC_VISIBILITY aclError aclrtMemcpyAsyncWithCondition(void* dst, size_t destMax,
                                                           const void* src, size_t count,
                                                           aclrtMemcpyKind kind,
                                                           aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
