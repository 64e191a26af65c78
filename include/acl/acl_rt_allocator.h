// SPDX-License-Identifier: Apache-2.0
// Chapter "custom allocator": letting the library take working memory from an allocator of the
// program. Only operators and models would use it, and there are none here: what is registered is
// kept and returned, and its functions are never called.
#ifndef INC_EXTERNAL_ACL_ACL_RT_ALLOCATOR_H_
#define INC_EXTERNAL_ACL_ACL_RT_ALLOCATOR_H_

#include "acl_base.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Allocates a block: allocator, size in bytes.
typedef void* (*aclrtAllocatorAllocFunc)(aclrtAllocator, size_t);

/// Frees a block: allocator, block.
typedef void (*aclrtAllocatorFreeFunc)(aclrtAllocator, aclrtAllocatorBlock);

/// Allocates a block at a requested address: allocator, size in bytes, address.
typedef void* (*aclrtAllocatorAllocAdviseFunc)(aclrtAllocator, size_t, aclrtAllocatorAddr);

/// Gets the address of a block.
typedef void* (*aclrtAllocatorGetAddrFromBlockFunc)(aclrtAllocatorBlock);

/// Creates an empty description of an allocator. Needs no context.
/// Returns the description, to be destroyed with aclrtAllocatorDestroyDesc; NULL when host memory
/// is exhausted.
ACL_FUNC_VISIBILITY aclrtAllocatorDesc aclrtAllocatorCreateDesc(void);

/// Destroys a description. Streams for which it is registered keep what it said.
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_INVALID_PARAM  `allocatorDesc` is NULL or not a live description
ACL_FUNC_VISIBILITY aclError aclrtAllocatorDestroyDesc(aclrtAllocatorDesc allocatorDesc);

/// Sets the object that is passed to the allocator's functions.
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_INVALID_PARAM  `allocatorDesc` is NULL or not a live description; `allocator` is
///   NULL
ACL_FUNC_VISIBILITY aclError aclrtAllocatorSetObjToDesc(aclrtAllocatorDesc allocatorDesc,
                                                        aclrtAllocator allocator);

/// Sets the function that allocates.
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_INVALID_PARAM  `allocatorDesc` is NULL or not a live description; `func` is NULL
ACL_FUNC_VISIBILITY aclError aclrtAllocatorSetAllocFuncToDesc(aclrtAllocatorDesc allocatorDesc,
                                                              aclrtAllocatorAllocFunc func);

/// Sets the function that frees.
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_INVALID_PARAM  `allocatorDesc` is NULL or not a live description; `func` is NULL
ACL_FUNC_VISIBILITY aclError aclrtAllocatorSetFreeFuncToDesc(aclrtAllocatorDesc allocatorDesc,
                                                             aclrtAllocatorFreeFunc func);

/// Sets the function that allocates at a requested address. It may stay unset.
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_INVALID_PARAM  `allocatorDesc` is NULL or not a live description; `func` is NULL
ACL_FUNC_VISIBILITY aclError aclrtAllocatorSetAllocAdviseFuncToDesc(
    aclrtAllocatorDesc allocatorDesc, aclrtAllocatorAllocAdviseFunc func);

/// Sets the function that returns the address of a block.
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_INVALID_PARAM  `allocatorDesc` is NULL or not a live description; `func` is NULL
ACL_FUNC_VISIBILITY aclError aclrtAllocatorSetGetAddrFromBlockFuncToDesc(
    aclrtAllocatorDesc allocatorDesc, aclrtAllocatorGetAddrFromBlockFunc func);

/// Assigns an allocator to a stream, in the place of the one before. The description is copied. The
/// stream is not validated; destroying a stream ends its assignment.
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_INVALID_PARAM  `stream` is NULL; `allocatorDesc` is NULL or not a live description,
///                            or lacks the object or a function other than AllocAdvise
ACL_FUNC_VISIBILITY aclError aclrtAllocatorRegister(aclrtStream stream,
                                                    aclrtAllocatorDesc allocatorDesc);

/// Gets what aclrtAllocatorRegister assigned to a stream.
/// [out] allocatorDesc  the description that was registered, even if it is destroyed
/// [out] allocator, allocFunc, freeFunc, allocAdviseFunc, getAddrFromBlockFunc  each may be NULL
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_INVALID_PARAM  `allocatorDesc` or `stream` is NULL, or the stream has no allocator
ACL_FUNC_VISIBILITY aclError aclrtAllocatorGetByStream(
    aclrtStream stream, aclrtAllocatorDesc* allocatorDesc, aclrtAllocator* allocator,
    aclrtAllocatorAllocFunc* allocFunc, aclrtAllocatorFreeFunc* freeFunc,
    aclrtAllocatorAllocAdviseFunc* allocAdviseFunc,
    aclrtAllocatorGetAddrFromBlockFunc* getAddrFromBlockFunc);

/// Removes the allocator of a stream, if it has one.
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_INVALID_PARAM  `stream` is NULL
ACL_FUNC_VISIBILITY aclError aclrtAllocatorUnregister(aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
