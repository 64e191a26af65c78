// SPDX-License-Identifier: Apache-2.0
// Chapter "settings of the runtime": options and shares of the cores for kernels. Nothing in this
// chapter is supported; this library is configured by its environment variables.
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

/// Sets an option for the process. Not supported.
ACL_FUNC_VISIBILITY aclError aclrtSetSysParamOpt(aclSysParamOpt opt, int64_t value);

/// Reads an option of the process. Not supported.
ACL_FUNC_VISIBILITY aclError aclrtGetSysParamOpt(aclSysParamOpt opt, int64_t* value);

/// Sets an option for the current context. Not supported.
ACL_FUNC_VISIBILITY aclError aclrtCtxSetSysParamOpt(aclSysParamOpt opt, int64_t value);

/// Reads an option of the current context. Not supported.
ACL_FUNC_VISIBILITY aclError aclrtCtxGetSysParamOpt(aclSysParamOpt opt, int64_t* value);

/// Limits how many cores of a device the process uses. Not supported.
ACL_FUNC_VISIBILITY aclError aclrtSetDeviceResLimit(int32_t deviceId, aclrtDevResLimitType type,
                                                    uint32_t value);

/// Reads this limit. Not supported.
ACL_FUNC_VISIBILITY aclError aclrtGetDeviceResLimit(int32_t deviceId, aclrtDevResLimitType type,
                                                    uint32_t* value);

/// Removes this limit. Not supported.
ACL_FUNC_VISIBILITY aclError aclrtResetDeviceResLimit(int32_t deviceId);

/// Limits how many cores a stream uses. Not supported.
ACL_FUNC_VISIBILITY aclError aclrtSetStreamResLimit(aclrtStream stream, aclrtDevResLimitType type,
                                                    uint32_t value);

/// Reads this limit. Not supported.
ACL_FUNC_VISIBILITY aclError aclrtGetStreamResLimit(aclrtStream stream, aclrtDevResLimitType type,
                                                    uint32_t* value);

/// Removes this limit. Not supported.
ACL_FUNC_VISIBILITY aclError aclrtResetStreamResLimit(aclrtStream stream);

/// Applies the limit of a stream to the calling thread. Not supported.
ACL_FUNC_VISIBILITY aclError aclrtUseStreamResInCurrentThread(aclrtStream stream);

/// Undoes aclrtUseStreamResInCurrentThread. Not supported.
ACL_FUNC_VISIBILITY aclError aclrtUnuseStreamResInCurrentThread(aclrtStream stream);

/// Gets the limit that applies to the calling thread. Not supported.
ACL_FUNC_VISIBILITY aclError aclrtGetResInCurrentThread(aclrtDevResLimitType type, uint32_t* value);

#ifdef __cplusplus
}
#endif

#endif
