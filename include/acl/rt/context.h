// SPDX-License-Identifier: Apache-2.0
// Chapter "context": what a thread works in on a device. Its streams are in stream.h.
#ifndef ACL_RT_CONTEXT_H
#define ACL_RT_CONTEXT_H

#include "../acl_base_rt.h"

// A context belongs to one device and owns streams, one of them its default stream. Each device
// also has a default context, which aclrtSetDevice creates and aclrtResetDevice destroys.

#ifdef __cplusplus
extern "C" {
#endif

/// Creates a context on a device, with its own default stream, and makes it the current one. This
/// does not count as aclrtSetDevice.
/// [out] context  to be released with aclrtDestroyContext
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_INVALID_PARAM        `context` is NULL
///   ACL_ERROR_RT_INVALID_DEVICEID  there is no device `deviceId`
///   ACL_ERROR_RT_DEV_SETUP_ERROR   the device cannot be opened
ACL_FUNC_VISIBILITY aclError aclrtCreateContext(aclrtContext* context, int32_t deviceId);

/// Waits for the work of a context, then destroys it with its streams. Threads whose current
/// context it was have none afterwards.
/// Blocking: until the context's work is done.
/// Threads: no other thread may use the context any more.
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_INVALID_PARAM             `context` is NULL
///   ACL_ERROR_RT_CONTEXT_NULL           it is the default context of a device, or was already
///                                       destroyed
///   ACL_ERROR_RT_CONTEXT_RELEASE_ERROR  another thread is destroying it
ACL_FUNC_VISIBILITY aclError aclrtDestroyContext(aclrtContext context);

/// Makes a context the current one of the calling thread. Any number of threads can share a
/// context.
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_INVALID_PARAM     `context` is NULL
///   ACL_ERROR_RT_PARAM_INVALID  it was destroyed, or is not a context
ACL_FUNC_VISIBILITY aclError aclrtSetCurrentContext(aclrtContext context);

/// Gets the current context of the calling thread.
/// [out] context  NULL when there is none
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_INVALID_PARAM    `context` is NULL
///   ACL_ERROR_RT_CONTEXT_NULL  no current context; NULL was stored, and the last error stays as
///                              it was
ACL_FUNC_VISIBILITY aclError aclrtGetCurrentContext(aclrtContext* context);

/// Reports whether the default context of a device exists. Needs no context.
/// [out] flags  reserved: 0 is stored; may be NULL
/// [out] active  1 when it exists, else 0
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_INVALID_PARAM        `active` is NULL
///   ACL_ERROR_RT_INVALID_DEVICEID  there is no device `deviceId`
ACL_FUNC_VISIBILITY aclError aclrtGetPrimaryCtxState(int32_t deviceId, uint32_t* flags,
                                                     int32_t* active);

#ifdef __cplusplus
}
#endif

#endif
