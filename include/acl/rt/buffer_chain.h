// SPDX-License-Identifier: Apache-2.0
// Chapter "buffers of queues": buffers in host memory that are passed on without a copy. A buffer
// has a capacity, a data length, and 96 private bytes of the program. Buffers can be chained: a
// chain has a head and up to 127 members. No function of this chapter needs a context. All may be
// called from any thread; the bytes of the data are for the program to protect.
//
// All return ACL_ERROR_RT_INVALID_HANDLE for a buffer that was freed or never was one.
#ifndef ACL_RT_BUFFER_CHAIN_H
#define ACL_RT_BUFFER_CHAIN_H

#include "../acl_base_rt.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Creates a buffer. Its data length is 0, its private bytes are 0, its data is not initialised.
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_INVALID_PARAM     `buf` is NULL, or `size` is 0
///   ACL_ERROR_RT_PARAM_INVALID  `size` is more than 4 GiB
///   ACL_ERROR_BAD_ALLOC         the host has no memory left
ACL_FUNC_VISIBILITY aclError aclrtAllocBuf(aclrtMbuf* buf, size_t size);

/// Destroys a buffer and, if it is the head of a chain, all members of the chain. Data that a
/// buffer of aclrtCopyBufRef shares lives until the last of them is freed.
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_INVALID_PARAM     `buf` is NULL
///   ACL_ERROR_RT_PARAM_INVALID  `buf` is a member of a chain: free its head
ACL_FUNC_VISIBILITY aclError aclrtFreeBuf(aclrtMbuf buf);

/// Sets how much of a buffer holds data.
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_INVALID_PARAM     `buf` is NULL
///   ACL_ERROR_RT_PARAM_INVALID  `len` is more than the capacity
ACL_FUNC_VISIBILITY aclError aclrtSetBufDataLen(aclrtMbuf buf, size_t len);

/// Gets how much of a buffer holds data.
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_INVALID_PARAM  a pointer is NULL
ACL_FUNC_VISIBILITY aclError aclrtGetBufDataLen(aclrtMbuf buf, size_t* len);

/// Gets address and capacity of a buffer. The address is valid until the data is freed.
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_INVALID_PARAM  a pointer is NULL
ACL_FUNC_VISIBILITY aclError aclrtGetBufData(const aclrtMbuf buf, void** dataPtr, size_t* size);

/// Reads private bytes of a buffer.
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_INVALID_PARAM  offset + size is more than 96, a pointer is NULL, or `size` is 0
ACL_FUNC_VISIBILITY aclError aclrtGetBufUserData(const aclrtMbuf buf, void* dataPtr, size_t size,
                                                 size_t offset);

/// Writes private bytes of a buffer.
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_INVALID_PARAM  offset + size is more than 96, a pointer is NULL, or `size` is 0
ACL_FUNC_VISIBILITY aclError aclrtSetBufUserData(aclrtMbuf buf, const void* dataPtr, size_t size,
                                                 size_t offset);

/// Creates a second buffer that shares the data of the first. Data length and private bytes are
/// copied and then its own; it is in no chain.
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_INVALID_PARAM  a pointer is NULL
ACL_FUNC_VISIBILITY aclError aclrtCopyBufRef(const aclrtMbuf buf, aclrtMbuf* newBuf);

/// Appends a buffer to the chain of a head, which may be a single buffer.
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_INVALID_PARAM     a pointer is NULL
///   ACL_ERROR_RT_PARAM_INVALID  `headBuf` is a member of a chain; `buf` is `headBuf`, a member of
///                               a chain or the head of one; or the chain has 128 buffers
ACL_FUNC_VISIBILITY aclError aclrtAppendBufChain(aclrtMbuf headBuf, aclrtMbuf buf);

/// Gets how many buffers a chain has, the head included.
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_INVALID_PARAM     a pointer is NULL
///   ACL_ERROR_RT_PARAM_INVALID  `headBuf` is a member of a chain
ACL_FUNC_VISIBILITY aclError aclrtGetBufChainNum(aclrtMbuf headBuf, uint32_t* num);

/// Finds a buffer of a chain by its place.
/// [in] index  0 is the head
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_INVALID_PARAM     a pointer is NULL
///   ACL_ERROR_RT_PARAM_INVALID  `headBuf` is a member of a chain, or the chain ends before `index`
ACL_FUNC_VISIBILITY aclError aclrtGetBufFromChain(aclrtMbuf headBuf, uint32_t index,
                                                  aclrtMbuf* buf);

#ifdef __cplusplus
}
#endif

#endif
