// SPDX-License-Identifier: Apache-2.0
// Chapter "copies by descriptor and by offset": copies inside a device whose addresses are in
// device memory and are read when the copy runs. Copies with plain addresses are in copy.h.
#ifndef ACL_RT_COPY_DESCRIPTOR_H
#define ACL_RT_COPY_DESCRIPTOR_H

#include "../acl_base_rt.h"
#include "memory_types.h"

// The only kind is ACL_MEMCPY_INNER_DEVICE_TO_DEVICE. A descriptor is a range of device memory
// whose start is a multiple of 64. It can be used any number of times, and another task may change
// it meanwhile. Products of the A2, A3 and 950 series have these copies; on others they return
// ACL_ERROR_RT_FEATURE_NOT_SUPPORT.

#ifdef __cplusplus
extern "C" {
#endif

/// Reports how much device memory a descriptor takes: 32 bytes on products of the A2 and A3 series,
/// 64 on those of the 950 series. Needs no context.
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_INVALID_PARAM           `descSize` is NULL, or `kind` is not 0 to 7
///   ACL_ERROR_RT_FEATURE_NOT_SUPPORT  `kind` is not ACL_MEMCPY_INNER_DEVICE_TO_DEVICE, or the
///                                     product has no such copies
ACL_FUNC_VISIBILITY aclError aclrtGetMemcpyDescSize(aclrtMemcpyKind kind, size_t* descSize);

/// Writes a descriptor into device memory, at once and outside of any stream order.
/// [out] desc  device memory for the descriptor
/// [in] srcAddr, dstAddr  device memory, both on one device
/// [in] count  bytes to copy, 1 to 4 GiB
/// [in] config  reserved, NULL
/// Blocking: until the descriptor is written.
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_INVALID_PARAM           `desc` is NULL, `kind` is not 0 to 7, `srcAddr` or
///                                     `dstAddr` is NULL, `count` is 0, or `config` is not NULL
///   ACL_ERROR_RT_FEATURE_NOT_SUPPORT  `kind` is not ACL_MEMCPY_INNER_DEVICE_TO_DEVICE, or the
///                                     product has no such copies
///   ACL_ERROR_RT_PARAM_INVALID        `count` is greater than 4 GiB; `desc` is not a multiple of
///                                     64 or not device memory; `srcAddr` or `dstAddr` is not
///                                     device memory, or they are on different devices
///   ACL_ERROR_RT_CONTEXT_NULL         no current context
ACL_FUNC_VISIBILITY aclError aclrtSetMemcpyDesc(void* desc, aclrtMemcpyKind kind, void* srcAddr,
                                                void* dstAddr, size_t count, void* config);

/// Queues the copy a descriptor describes. Length, source and destination are read from the
/// descriptor when the copy runs; a failure then leaves ACL_ERROR_RT_TS_ERROR on the stream. Here
/// NULL does not name the default stream.
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_INVALID_PARAM           `desc` is NULL, `kind` is not 0 to 7, or `stream` is NULL
///   ACL_ERROR_RT_INVALID_HANDLE       `stream` was destroyed or is not a stream
///   ACL_ERROR_RT_FEATURE_NOT_SUPPORT  `kind` is not ACL_MEMCPY_INNER_DEVICE_TO_DEVICE, or the
///                                     product has no such copies
///   ACL_ERROR_RT_PARAM_INVALID        `desc` is not device memory, or not a multiple of 64
///   ACL_ERROR_RT_CONTEXT_NULL         no current context
///   ACL_ERROR_RT_STREAM_CONTEXT       `stream` belongs to another context
ACL_FUNC_VISIBILITY aclError aclrtMemcpyAsyncWithDesc(void* desc, aclrtMemcpyKind kind,
                                                      aclrtStream stream);

/// Queues a copy of `count` bytes inside a device, from the address stored at `src` plus
/// `srcDataOffset` to the address stored at `dst` plus `dstDataOffset`. Both stored addresses are
/// read when the copy runs; a failure then leaves ACL_ERROR_RT_TS_ERROR on the stream.
/// [in] dst, src  device memory that holds an address in device memory
/// [in] destMax  capacity in bytes at the address stored at `dst`
/// [in] count  at most 4 GiB
/// [in] srcDataOffset, dstDataOffset  bytes, at most 0xFFFFFFFFFFFF
/// Returns ACL_SUCCESS, also when `count` is 0 (no other argument is checked then), or
///   ACL_ERROR_RT_PARAM_INVALID        `kind` is not ACL_MEMCPY_INNER_DEVICE_TO_DEVICE
///   ACL_ERROR_RT_FEATURE_NOT_SUPPORT  the product has no such copies
///   ACL_ERROR_RT_INVALID_HANDLE       `stream` was destroyed or is not a stream
///   ACL_ERROR_RT_PARAM_INVALID        `dst` or `src` is NULL; `count` is greater than `destMax`
///                                     or 4 GiB; an offset is too large; `dstDataOffset` is not
///                                     less than `destMax`; or `count` is greater than `destMax`
///                                     less `dstDataOffset`
///   ACL_ERROR_RT_CONTEXT_NULL         no current context
///   ACL_ERROR_RT_STREAM_CONTEXT       `stream` belongs to another context
ACL_FUNC_VISIBILITY aclError aclrtMemcpyAsyncWithOffset(void** dst, size_t destMax,
                                                        size_t dstDataOffset, const void** src,
                                                        size_t count, size_t srcDataOffset,
                                                        aclrtMemcpyKind kind, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
