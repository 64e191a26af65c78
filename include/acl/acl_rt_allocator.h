// SPDX-License-Identifier: Apache-2.0
// Chapter "custom allocator": letting the library take working memory from an allocator of the
// program. Nothing in this chapter is supported.
#ifndef ACL_RT_ALLOCATOR_H
#define ACL_RT_ALLOCATOR_H

#include "acl_base_rt.h"

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

/// Creates an empty description of an allocator. Not supported.
ACL_FUNC_VISIBILITY aclrtAllocatorDesc aclrtAllocatorCreateDesc(void);

/// Destroys a description. Not supported.
ACL_FUNC_VISIBILITY aclError aclrtAllocatorDestroyDesc(aclrtAllocatorDesc allocatorDesc);

/// Sets the object that is passed to the allocator's functions. Not supported.
ACL_FUNC_VISIBILITY aclError aclrtAllocatorSetObjToDesc(aclrtAllocatorDesc allocatorDesc,
                                                        aclrtAllocator allocator);

/// Sets the function that allocates. Not supported.
ACL_FUNC_VISIBILITY aclError aclrtAllocatorSetAllocFuncToDesc(aclrtAllocatorDesc allocatorDesc,
                                                              aclrtAllocatorAllocFunc func);

/// Sets the function that frees. Not supported.
ACL_FUNC_VISIBILITY aclError aclrtAllocatorSetFreeFuncToDesc(aclrtAllocatorDesc allocatorDesc,
                                                             aclrtAllocatorFreeFunc func);

/// Sets the function that allocates at a requested address. Not supported.
ACL_FUNC_VISIBILITY aclError aclrtAllocatorSetAllocAdviseFuncToDesc(
    aclrtAllocatorDesc allocatorDesc, aclrtAllocatorAllocAdviseFunc func);

/// Sets the function that returns the address of a block. Not supported.
ACL_FUNC_VISIBILITY aclError aclrtAllocatorSetGetAddrFromBlockFuncToDesc(
    aclrtAllocatorDesc allocatorDesc, aclrtAllocatorGetAddrFromBlockFunc func);

/// Assigns an allocator to a stream for working memory. Not supported.
ACL_FUNC_VISIBILITY aclError aclrtAllocatorRegister(aclrtStream stream,
                                                    aclrtAllocatorDesc allocatorDesc);

/// Gets what aclrtAllocatorRegister assigned to a stream. Not supported.
ACL_FUNC_VISIBILITY aclError aclrtAllocatorGetByStream(
    aclrtStream stream, aclrtAllocatorDesc* allocatorDesc, aclrtAllocator* allocator,
    aclrtAllocatorAllocFunc* allocFunc, aclrtAllocatorFreeFunc* freeFunc,
    aclrtAllocatorAllocAdviseFunc* allocAdviseFunc,
    aclrtAllocatorGetAddrFromBlockFunc* getAddrFromBlockFunc);

/// Removes the allocator of a stream. Not supported.
ACL_FUNC_VISIBILITY aclError aclrtAllocatorUnregister(aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
