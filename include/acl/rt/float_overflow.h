// SPDX-License-Identifier: Apache-2.0
// Chapter "overflow of floating-point numbers": what computations do with values that are too
// large. This library computes nothing by itself: the settings are kept and have no effect. Each
// context has a status of 64 bytes in device memory. It is all 0, no overflow, until a kernel of
// the program writes to it.
#ifndef ACL_RT_FLOAT_OVERFLOW_H
#define ACL_RT_FLOAT_OVERFLOW_H

#include "../acl_base_rt.h"

#ifdef __cplusplus
extern "C" {
#endif

/// What a device does with values that are too large.
typedef enum aclrtFloatOverflowMode {
  ACL_RT_OVERFLOW_MODE_SATURATION = 0,  ///< they become the largest number
  ACL_RT_OVERFLOW_MODE_INFNAN = 1,      ///< they become infinity, and NaN is kept
  ACL_RT_OVERFLOW_MODE_UNDEF = 2        ///< no mode
} aclrtFloatOverflowMode;

/// Sets the mode of the current context's device; it is kept and has no effect.
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_RT_PARAM_INVALID  `mode` is not ACL_RT_OVERFLOW_MODE_SATURATION or
///                               ACL_RT_OVERFLOW_MODE_INFNAN
///   ACL_ERROR_RT_CONTEXT_NULL   no current context
ACL_FUNC_VISIBILITY aclError aclrtSetDeviceSatMode(aclrtFloatOverflowMode mode);

/// Reads the mode of the current context's device: what aclrtSetDeviceSatMode set, at first
/// ACL_RT_OVERFLOW_MODE_INFNAN.
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_INVALID_PARAM    `mode` is NULL
///   ACL_ERROR_RT_CONTEXT_NULL  no current context
ACL_FUNC_VISIBILITY aclError aclrtGetDeviceSatMode(aclrtFloatOverflowMode* mode);

/// Switches the check for overflow on a stream; the switch is kept and has no effect.
/// [in] flag  0 off, 1 on
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_RT_INVALID_HANDLE  `stream` was destroyed or is not a stream
///   ACL_ERROR_RT_PARAM_INVALID   `flag` is not 0 or 1
///   ACL_ERROR_RT_CONTEXT_NULL    no current context
///   ACL_ERROR_RT_STREAM_CONTEXT  `stream` belongs to another context
ACL_FUNC_VISIBILITY aclError aclrtSetStreamOverflowSwitch(aclrtStream stream, uint32_t flag);

/// Reads the switch of aclrtSetStreamOverflowSwitch; at first it is off.
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_INVALID_PARAM      `flag` is NULL
///   ACL_ERROR_RT_INVALID_HANDLE  `stream` was destroyed or is not a stream
///   ACL_ERROR_RT_CONTEXT_NULL    no current context
///   ACL_ERROR_RT_STREAM_CONTEXT  `stream` belongs to another context
ACL_FUNC_VISIBILITY aclError aclrtGetStreamOverflowSwitch(aclrtStream stream, uint32_t* flag);

/// Queues a copy of the overflow status of the stream's context to device memory.
/// [in] outputAddr  64 bytes of device memory; the first word becomes 0 without an overflow
/// [in] outputSize  64
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_INVALID_PARAM      `outputAddr` is NULL
///   ACL_ERROR_RT_PARAM_INVALID   `outputSize` is not 64
///   ACL_ERROR_RT_INVALID_HANDLE  `stream` was destroyed or is not a stream
///   ACL_ERROR_RT_CONTEXT_NULL    no current context
///   ACL_ERROR_RT_STREAM_CONTEXT  `stream` belongs to another context
///   ACL_ERROR_RT_PARAM_INVALID   `outputAddr` is not device memory
ACL_FUNC_VISIBILITY aclError aclrtGetOverflowStatus(void* outputAddr, size_t outputSize,
                                                    aclrtStream stream);

/// Queues the reset of that status: all bytes become 0.
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_RT_INVALID_HANDLE  `stream` was destroyed or is not a stream
///   ACL_ERROR_RT_CONTEXT_NULL    no current context
///   ACL_ERROR_RT_STREAM_CONTEXT  `stream` belongs to another context
ACL_FUNC_VISIBILITY aclError aclrtResetOverflowStatus(aclrtStream stream);

/// As aclrtGetOverflowStatus, with another code for NULL.
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_RT_PARAM_INVALID   `outputAddr` is NULL, or `outputSize` is not 64
///   ACL_ERROR_RT_INVALID_HANDLE  `stream` was destroyed or is not a stream
///   ACL_ERROR_RT_CONTEXT_NULL    no current context
///   ACL_ERROR_RT_STREAM_CONTEXT  `stream` belongs to another context
///   ACL_ERROR_RT_PARAM_INVALID   `outputAddr` is not device memory
ACL_FUNC_VISIBILITY aclError aclrtGetFloatOverflowStatus(void* outputAddr, uint64_t outputSize,
                                                         aclrtStream stream);

/// As aclrtResetOverflowStatus.
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_RT_INVALID_HANDLE  `stream` was destroyed or is not a stream
///   ACL_ERROR_RT_CONTEXT_NULL    no current context
///   ACL_ERROR_RT_STREAM_CONTEXT  `stream` belongs to another context
ACL_FUNC_VISIBILITY aclError aclrtResetFloatOverflowStatus(aclrtStream stream);

/// As aclrtGetFloatOverflowStatus.
/// [in] checkMode  without effect
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_RT_PARAM_INVALID   `outputAddr` is NULL, or `outputSize` is not 64
///   ACL_ERROR_RT_INVALID_HANDLE  `stream` was destroyed or is not a stream
///   ACL_ERROR_RT_CONTEXT_NULL    no current context
///   ACL_ERROR_RT_STREAM_CONTEXT  `stream` belongs to another context
///   ACL_ERROR_RT_PARAM_INVALID   `outputAddr` is not device memory
ACL_FUNC_VISIBILITY aclError aclrtNpuGetFloatOverFlowStatus(void* outputAddr, uint64_t outputSize,
                                                            uint32_t checkMode, aclrtStream stream);

/// As aclrtResetOverflowStatus.
/// [in] checkMode  without effect
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_RT_INVALID_HANDLE  `stream` was destroyed or is not a stream
///   ACL_ERROR_RT_CONTEXT_NULL    no current context
///   ACL_ERROR_RT_STREAM_CONTEXT  `stream` belongs to another context
ACL_FUNC_VISIBILITY aclError aclrtNpuClearFloatOverFlowStatus(uint32_t checkMode,
                                                              aclrtStream stream);

/// Reports where in device memory the overflow status of the current context is: 64 bytes that live
/// as long as the context. A kernel that meets an overflow writes there.
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_RT_PARAM_INVALID      `overflowAddr` is NULL
///   ACL_ERROR_RT_CONTEXT_NULL       no current context
///   ACL_ERROR_RT_MEMORY_ALLOCATION  the device has no memory left for it
ACL_FUNC_VISIBILITY aclError aclrtCtxGetFloatOverflowAddr(void** overflowAddr);

#ifdef __cplusplus
}
#endif

#endif
