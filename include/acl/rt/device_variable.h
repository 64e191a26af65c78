// SPDX-License-Identifier: Apache-2.0
// Chapter "device variables": copying from and to variables of kernels, which stand-ins register
// (ferry/kernel.h). Copies between addresses are in copy.h.
#ifndef ACL_RT_DEVICE_VARIABLE_H
#define ACL_RT_DEVICE_VARIABLE_H

#include "../acl_base_rt.h"
#include "memory_types.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Gets the address of a variable on the device of the current context. A stand-in registers
/// variables (ferry/kernel.h); each device has its own: 0 at first, gone with its last context.
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_INVALID_PARAM         `symbol` or `devPtr` is NULL
///   ACL_ERROR_RT_INVALID_SYMBOL     `symbol` names no variable
///   ACL_ERROR_RT_CONTEXT_NULL       no current context
///   ACL_ERROR_RT_MEMORY_ALLOCATION  the device has no memory for it
ACL_FUNC_VISIBILITY aclError aclrtGetSymbolAddress(const void* symbol, void** devPtr);

/// Gets the size of a variable.
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_INVALID_PARAM      `symbol` or `size` is NULL
///   ACL_ERROR_RT_INVALID_SYMBOL  `symbol` names no variable
ACL_FUNC_VISIBILITY aclError aclrtGetSymbolSize(const void* symbol, size_t* size);

/// Copies from a variable, like aclrtMemcpy from device to host. A `count` of 0 succeeds always.
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_INVALID_PARAM      `dst` or `symbol` is NULL, `count` is larger than `dstMax`, or
///                                `kind` is neither device to host nor the default
///   ACL_ERROR_RT_INVALID_SYMBOL  `symbol` names no variable
///   ACL_ERROR_INVALID_PARAM      the range exceeds the variable
///   ACL_ERROR_RT_CONTEXT_NULL    no current context
///   ACL_ERROR_RT_PARAM_INVALID   as aclrtMemcpy
ACL_FUNC_VISIBILITY aclError aclrtMemcpyFromSymbol(void* dst, size_t dstMax, const void* symbol,
                                                   size_t count, size_t offset,
                                                   aclrtMemcpyKind kind);

/// Queues a copy from a variable, like aclrtMemcpyAsync. A `count` of 0 succeeds always.
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_INVALID_PARAM      `dst` or `symbol` is NULL, `count` is larger than `dstMax`, or
///                                `kind` is neither device to host nor the default
///   ACL_ERROR_RT_INVALID_SYMBOL  `symbol` names no variable
///   ACL_ERROR_INVALID_PARAM      the range exceeds the variable
///   others                       as aclrtMemcpyAsync
ACL_FUNC_VISIBILITY aclError aclrtMemcpyFromSymbolAsync(void* dst, size_t dstMax,
                                                        const void* symbol, size_t count,
                                                        size_t offset, aclrtMemcpyKind kind,
                                                        aclrtStream stream);

/// Copies to a variable, like aclrtMemcpy from host to device. A `count` of 0 succeeds always.
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_INVALID_PARAM      `symbol` or `src` is NULL, or `kind` is neither host to device
///                                nor the default
///   ACL_ERROR_RT_INVALID_SYMBOL  `symbol` names no variable
///   ACL_ERROR_INVALID_PARAM      the range exceeds the variable
///   ACL_ERROR_RT_CONTEXT_NULL    no current context
///   ACL_ERROR_RT_PARAM_INVALID   as aclrtMemcpy
ACL_FUNC_VISIBILITY aclError aclrtMemcpyToSymbol(const void* symbol, const void* src, size_t count,
                                                 size_t offset, aclrtMemcpyKind kind);

/// Queues a copy to a variable, like aclrtMemcpyAsync. A `count` of 0 succeeds always.
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_INVALID_PARAM      `symbol` or `src` is NULL, or `kind` is neither host to device
///                                nor the default
///   ACL_ERROR_RT_INVALID_SYMBOL  `symbol` names no variable
///   ACL_ERROR_INVALID_PARAM      the range exceeds the variable
///   others                       as aclrtMemcpyAsync
ACL_FUNC_VISIBILITY aclError aclrtMemcpyToSymbolAsync(const void* symbol, const void* src,
                                                      size_t count, size_t offset,
                                                      aclrtMemcpyKind kind, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
