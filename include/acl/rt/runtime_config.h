// SPDX-License-Identifier: Apache-2.0
// Chapter "settings of the runtime": options and shares of the cores for kernels. They are kept for
// the libraries of operators that ask for them; nothing else depends on them.
#ifndef ACL_RT_RUNTIME_CONFIG_H
#define ACL_RT_RUNTIME_CONFIG_H

#include "../acl_base_rt.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Which cores are shared out.
typedef enum aclrtDevResLimitType {
  ACL_RT_DEV_RES_CUBE_CORE = 0,
  ACL_RT_DEV_RES_VECTOR_CORE = 1
} aclrtDevResLimitType;

/// Sets an option for the process.
/// [in] value  of ACL_OPT_DETERMINISTIC 0 to 3, else 0 or 1
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_INVALID_PARAM     `opt` is none of aclSysParamOpt
///   ACL_ERROR_RT_PARAM_INVALID  `value` is not allowed
ACL_FUNC_VISIBILITY aclError aclrtSetSysParamOpt(aclSysParamOpt opt, int64_t value);

/// Reads an option of the process.
/// [out] value  0 when the option was never set
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_INVALID_PARAM           `value` is NULL, or `opt` is none of aclSysParamOpt
///   ACL_ERROR_RT_SYSPARAMOPT_NOT_SET  the option was never set
ACL_FUNC_VISIBILITY aclError aclrtGetSysParamOpt(aclSysParamOpt opt, int64_t* value);

/// Sets an option for the current context, as aclrtSetSysParamOpt for the process.
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_INVALID_PARAM     `opt` is none of aclSysParamOpt, or
///                               ACL_OPT_ENABLE_KERNEL_EARLY_START, which only the process has
///   ACL_ERROR_RT_PARAM_INVALID  `value` is not allowed
///   ACL_ERROR_RT_CONTEXT_NULL   no current context
ACL_FUNC_VISIBILITY aclError aclrtCtxSetSysParamOpt(aclSysParamOpt opt, int64_t value);

/// Reads an option of the current context. The option of the process does not take its place.
/// [out] value  0 when the option was never set
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_INVALID_PARAM           `value` is NULL, or `opt` is no option of a context
///   ACL_ERROR_RT_CONTEXT_NULL         no current context
///   ACL_ERROR_RT_SYSPARAMOPT_NOT_SET  the option was never set
ACL_FUNC_VISIBILITY aclError aclrtCtxGetSysParamOpt(aclSysParamOpt opt, int64_t* value);

/// Limits how many cores of a device the process uses; the last call counts. Needs no context.
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_RT_PARAM_INVALID     `type` is none of aclrtDevResLimitType
///   ACL_ERROR_RT_INVALID_DEVICEID  there is no device `deviceId`
///   ACL_ERROR_RT_PARAM_INVALID     `value` is more than the product has
ACL_FUNC_VISIBILITY aclError aclrtSetDeviceResLimit(int32_t deviceId, aclrtDevResLimitType type,
                                                    uint32_t value);

/// Reads this limit: at first, how many cores the emulated product has. Needs no context.
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_INVALID_PARAM        `value` is NULL
///   ACL_ERROR_RT_PARAM_INVALID     `type` is none of aclrtDevResLimitType
///   ACL_ERROR_RT_INVALID_DEVICEID  there is no device `deviceId`
ACL_FUNC_VISIBILITY aclError aclrtGetDeviceResLimit(int32_t deviceId, aclrtDevResLimitType type,
                                                    uint32_t* value);

/// Removes the limits of a device. Needs no context.
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_RT_INVALID_DEVICEID  there is no device `deviceId`
ACL_FUNC_VISIBILITY aclError aclrtResetDeviceResLimit(int32_t deviceId);

/// Limits how many cores a stream uses. It counts before the limit of the device.
/// [in] stream  NULL for the default stream of the current context
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_RT_PARAM_INVALID   `type` is none of aclrtDevResLimitType
///   ACL_ERROR_RT_INVALID_HANDLE  `stream` was destroyed or is not a stream
///   ACL_ERROR_RT_CONTEXT_NULL    no current context
///   ACL_ERROR_RT_STREAM_CONTEXT  `stream` belongs to another context
///   ACL_ERROR_RT_PARAM_INVALID   `value` is more than the product has
ACL_FUNC_VISIBILITY aclError aclrtSetStreamResLimit(aclrtStream stream, aclrtDevResLimitType type,
                                                    uint32_t value);

/// Reads this limit; without one, that of the device.
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_INVALID_PARAM      `value` is NULL
///   ACL_ERROR_RT_PARAM_INVALID   `type` is none of aclrtDevResLimitType
///   ACL_ERROR_RT_INVALID_HANDLE  `stream` was destroyed or is not a stream
///   ACL_ERROR_RT_CONTEXT_NULL    no current context
///   ACL_ERROR_RT_STREAM_CONTEXT  `stream` belongs to another context
ACL_FUNC_VISIBILITY aclError aclrtGetStreamResLimit(aclrtStream stream, aclrtDevResLimitType type,
                                                    uint32_t* value);

/// Removes the limits of a stream.
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_RT_INVALID_HANDLE  `stream` was destroyed or is not a stream
///   ACL_ERROR_RT_CONTEXT_NULL    no current context
///   ACL_ERROR_RT_STREAM_CONTEXT  `stream` belongs to another context
ACL_FUNC_VISIBILITY aclError aclrtResetStreamResLimit(aclrtStream stream);

/// Applies the limits of a stream to the calling thread, until it names another stream. They end
/// with the stream.
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_RT_INVALID_HANDLE  `stream` was destroyed or is not a stream
///   ACL_ERROR_RT_CONTEXT_NULL    no current context
///   ACL_ERROR_RT_STREAM_CONTEXT  `stream` belongs to another context
ACL_FUNC_VISIBILITY aclError aclrtUseStreamResInCurrentThread(aclrtStream stream);

/// Undoes aclrtUseStreamResInCurrentThread. For another stream than the one in use it does nothing.
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_RT_INVALID_HANDLE  `stream` was destroyed or is not a stream
///   ACL_ERROR_RT_CONTEXT_NULL    no current context
///   ACL_ERROR_RT_STREAM_CONTEXT  `stream` belongs to another context
ACL_FUNC_VISIBILITY aclError aclrtUnuseStreamResInCurrentThread(aclrtStream stream);

/// Gets the limit that applies to the calling thread: that of the stream in use if it has one, else
/// that of the current context's device.
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_INVALID_PARAM     `value` is NULL
///   ACL_ERROR_RT_PARAM_INVALID  `type` is none of aclrtDevResLimitType
///   ACL_ERROR_RT_CONTEXT_NULL   no current context
ACL_FUNC_VISIBILITY aclError aclrtGetResInCurrentThread(aclrtDevResLimitType type, uint32_t* value);

#ifdef __cplusplus
}
#endif

#endif
