// SPDX-License-Identifier: Apache-2.0
// Chapter "device variables": copying from and to variables of a loaded binary. Nothing in this
// chapter is supported; copies between addresses are in copy.h.
#ifndef ACL_RT_DEVICE_VARIABLE_H
#define ACL_RT_DEVICE_VARIABLE_H

#include "../acl_base_rt.h"
#include "memory_types.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Gets the device address of a variable. Not supported.
ACL_FUNC_VISIBILITY aclError aclrtGetSymbolAddress(const void* symbol, void** devPtr);

/// Gets the size of a variable. Not supported.
ACL_FUNC_VISIBILITY aclError aclrtGetSymbolSize(const void* symbol, size_t* size);

/// Copies from a variable. Not supported.
ACL_FUNC_VISIBILITY aclError aclrtMemcpyFromSymbol(void* dst, size_t dstMax, const void* symbol,
                                                   size_t count, size_t offset,
                                                   aclrtMemcpyKind kind);

/// Queues a copy from a variable. Not supported.
ACL_FUNC_VISIBILITY aclError aclrtMemcpyFromSymbolAsync(void* dst, size_t dstMax,
                                                        const void* symbol, size_t count,
                                                        size_t offset, aclrtMemcpyKind kind,
                                                        aclrtStream stream);

/// Copies to a variable. Not supported.
ACL_FUNC_VISIBILITY aclError aclrtMemcpyToSymbol(const void* symbol, const void* src, size_t count,
                                                 size_t offset, aclrtMemcpyKind kind);

/// Queues a copy to a variable. Not supported.
ACL_FUNC_VISIBILITY aclError aclrtMemcpyToSymbolAsync(const void* symbol, const void* src,
                                                      size_t count, size_t offset,
                                                      aclrtMemcpyKind kind, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
