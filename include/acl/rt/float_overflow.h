// SPDX-License-Identifier: Apache-2.0
// Chapter "overflow of floating-point numbers": what computations do with values that are too
// large. Nothing here computes, so the settings are kept and have no effect.
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

/// Queues a copy of the overflow flag to device memory, in saturation mode. Not supported.
ACL_FUNC_VISIBILITY aclError aclrtGetOverflowStatus(void* outputAddr, size_t outputSize,
                                                    aclrtStream stream);

/// Queues the reset of that flag. Not supported.
ACL_FUNC_VISIBILITY aclError aclrtResetOverflowStatus(aclrtStream stream);

/// Queues a copy of the overflow flag, for all modes. Not supported.
ACL_FUNC_VISIBILITY aclError aclrtGetFloatOverflowStatus(void* outputAddr, uint64_t outputSize,
                                                         aclrtStream stream);

/// Queues the reset of that flag. Not supported.
ACL_FUNC_VISIBILITY aclError aclrtResetFloatOverflowStatus(aclrtStream stream);

/// Queues a copy of the overflow flag that a kernel can test. Not supported.
ACL_FUNC_VISIBILITY aclError aclrtNpuGetFloatOverFlowStatus(void* outputAddr, uint64_t outputSize,
                                                            uint32_t checkMode, aclrtStream stream);

/// Queues the reset of that flag. Not supported.
ACL_FUNC_VISIBILITY aclError aclrtNpuClearFloatOverFlowStatus(uint32_t checkMode,
                                                              aclrtStream stream);

/// Reports where in device memory the overflow flag of the current context is. Not supported.
ACL_FUNC_VISIBILITY aclError aclrtCtxGetFloatOverflowAddr(void** overflowAddr);

#ifdef __cplusplus
}
#endif

#endif
