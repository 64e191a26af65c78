// SPDX-License-Identifier: Apache-2.0
// What the companion libraries (libhccl.so, libmsprofiler.so, ...) ask of libascendcl.so beyond
// AscendCL. Programs do not need it.
#ifndef FERRY_COMPANION_H
#define FERRY_COMPANION_H

#include "acl/acl_base_rt.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Records a failure of the calling thread, as functions of AscendCL do: aclGetRecentErrMsg returns
/// "<function>: <text>". Codes of the form x07xxx also become the thread's last error.
/// [in] function  lives as long as the process
/// Returns `code`; ACL_ERROR_INVALID_PARAM for NULL, or a code that is no failure
ACL_FUNC_VISIBILITY aclError ferryRecordError(const char* function, aclError code,
                                              const char* text);

/// Counts the devices before ASCEND_RT_VISIBLE_DEVICES is applied. Where FERRY_DEVICES says how
/// many there are, the program may still change that variable afterwards. Returns ACL_SUCCESS,
/// ACL_ERROR_INVALID_PARAM for NULL, or what is wrong with the configuration
ACL_FUNC_VISIBILITY aclError ferryGetPhysicalDeviceCount(uint32_t* count);

/// Whether FERRY_LOG shows lines of this level.
ACL_FUNC_VISIBILITY int ferryIsLogged(aclLogLevel level);

#ifdef __cplusplus
}
#endif

#endif
