// SPDX-License-Identifier: Apache-2.0
// Chapter "notify": a signal between streams that the wait for it resets. Events, which keep
// their state, are in event.h; notifies with a counter are in counting_notify.h.
#ifndef ACL_RT_NOTIFY_H
#define ACL_RT_NOTIFY_H

#include "../acl_base_rt.h"
#include "ipc_memory.h"

// A device has 8192 notifies.

// Flags of aclrtCreateNotify.
#define ACL_NOTIFY_DEFAULT 0x00000000U          ///< for streams
#define ACL_NOTIFY_DEVICE_USE_ONLY 0x00000001U  ///< only for the device's own use

// Flags of export and import, which are not supported.
#define ACL_RT_NOTIFY_EXPORT_FLAG_DEFAULT 0x0UL
#define ACL_RT_NOTIFY_EXPORT_FLAG_DISABLE_PID_VALIDATION 0x02UL
#define ACL_RT_NOTIFY_IMPORT_FLAG_DEFAULT 0x0UL
#define ACL_RT_NOTIFY_IMPORT_FLAG_ENABLE_PEER_ACCESS 0x02UL

#ifdef __cplusplus
extern "C" {
#endif

/// Creates a notify on the device of the current context.
/// [out] notify  to be released with aclrtDestroyNotify
/// [in] flag  ACL_NOTIFY_DEFAULT or ACL_NOTIFY_DEVICE_USE_ONLY
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_INVALID_PARAM          `notify` is NULL
///   ACL_ERROR_RT_PARAM_INVALID       `flag` is not 0 or 1
///   ACL_ERROR_RT_CONTEXT_NULL        no current context
///   ACL_ERROR_RT_NO_NOTIFY_RESOURCE  all notifies of the device are in use
ACL_FUNC_VISIBILITY aclError aclrtCreateNotify(aclrtNotify* notify, uint64_t flag);

/// Destroys a notify. Call it only after the work that uses it is done.
/// Threads: no other thread may use the notify any more.
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_INVALID_PARAM      `notify` is NULL
///   ACL_ERROR_RT_INVALID_HANDLE  `notify` was destroyed or is not a notify
ACL_FUNC_VISIBILITY aclError aclrtDestroyNotify(aclrtNotify notify);

/// Queues on a stream the signal of a notify. A signal that no stream waits for yet is kept; a
/// second one is not counted.
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_INVALID_PARAM      `notify` is NULL
///   ACL_ERROR_RT_INVALID_HANDLE  `notify` or `stream` was destroyed or is of another type
///   ACL_ERROR_RT_CONTEXT_NULL    no current context
///   ACL_ERROR_RT_STREAM_CONTEXT  `stream` belongs to another context
ACL_FUNC_VISIBILITY aclError aclrtRecordNotify(aclrtNotify notify, aclrtStream stream);

/// Lets a stream wait for the signal of a notify, and then resets it. When the time limit has
/// passed the stream goes on, and keeps ACL_ERROR_RT_WAIT_TIMEOUT for its next synchronisation.
/// [in] timeout  seconds; 0 for no limit, 0xFFFFFFFF for the limit of aclrtSetOpWaitTimeout
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_INVALID_PARAM      `notify` is NULL
///   ACL_ERROR_RT_INVALID_HANDLE  `notify` or `stream` was destroyed or is of another type
///   ACL_ERROR_RT_CONTEXT_NULL    no current context
///   ACL_ERROR_RT_STREAM_CONTEXT  `stream` belongs to another context
ACL_FUNC_VISIBILITY aclError aclrtWaitAndResetNotify(aclrtNotify notify, aclrtStream stream,
                                                     uint32_t timeout);

/// Gets the number of a notify, unique on its device for the lifetime of the notify.
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_INVALID_PARAM      `notify` or `notifyId` is NULL
///   ACL_ERROR_RT_INVALID_HANDLE  `notify` was destroyed or is not a notify
ACL_FUNC_VISIBILITY aclError aclrtGetNotifyId(aclrtNotify notify, uint32_t* notifyId);

/// Resets several notifies at once, from the host.
/// [in] notifies  array of `num` notifies
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_INVALID_PARAM      `notifies` is NULL, or `num` is 0
///   ACL_ERROR_RT_INVALID_HANDLE  one of them was destroyed or is not a notify; none was reset
ACL_FUNC_VISIBILITY aclError aclrtNotifyBatchReset(aclrtNotify* notifies, size_t num);

/// Creates the key with which other processes on this server can record a notify, once. Needs no
/// context.
/// [out] key   65 bytes of text, with the final 0
/// [in] flags  0: only processes named by aclrtNotifySetImportPid can import it; 2: all of this
///             user
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_INVALID_PARAM           a pointer is NULL
///   ACL_ERROR_RT_INVALID_HANDLE       `notify` was destroyed or is not a notify
///   ACL_ERROR_RT_PARAM_INVALID        `len` is below 65, or `flags` is not 0 or 2
///   ACL_ERROR_RT_INTERNAL_ERROR       it was exported before, or is imported
///   ACL_ERROR_RT_FEATURE_NOT_SUPPORT  the device cannot share notifies
ACL_FUNC_VISIBILITY aclError aclrtNotifyGetExportKey(aclrtNotify notify, char* key, size_t len,
                                                     uint64_t flags);

/// Gets a notify that a process of this user on this server has exported. It can be recorded: that
/// ends a wait in the process that has created it. It cannot be waited for or reset here
/// (ACL_ERROR_RT_FEATURE_NOT_SUPPORT). Its number is the creator's.
/// [in] flags  0 to 3 in the low 32 bits; 2 enables peer access to the creator's device
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_INVALID_PARAM          a pointer is NULL
///   ACL_ERROR_RT_PARAM_INVALID       other flags
///   ACL_ERROR_RT_CONTEXT_NULL        the thread has no context
///   ACL_ERROR_RT_DRV_INTERNAL_ERROR  no process offers it, or this process may not import it
ACL_FUNC_VISIBILITY aclError aclrtNotifyImportByKey(aclrtNotify* notify, const char* key,
                                                    uint64_t flags);

/// Names processes that may import an exported notify, in addition to those named before.
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_INVALID_PARAM      a pointer is NULL
///   ACL_ERROR_RT_INVALID_HANDLE  `notify` was destroyed or is not a notify
///   ACL_ERROR_RT_PARAM_INVALID   `num` is 0, or the notify was not exported
///   ACL_ERROR_RT_CONTEXT_NULL    the thread has no context
///   ACL_ERROR_RT_NO_PERMISSION   it was exported for all processes
ACL_FUNC_VISIBILITY aclError aclrtNotifySetImportPid(aclrtNotify notify, int32_t* pid, size_t num);

/// Names processes by their servers, one each. Products of the A3 series only; only devices of this
/// server are known.
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_RT_PARAM_INVALID        a pointer is NULL, `num` is 0, or an entry does not have one
///                                     process
///   ACL_ERROR_RT_FEATURE_NOT_SUPPORT  another product, or an sdid that is no device of this server
///   and as aclrtNotifySetImportPid
ACL_FUNC_VISIBILITY aclError aclrtNotifySetImportPidInterServer(aclrtNotify notify,
                                                                aclrtServerPid* serverPids,
                                                                size_t num);

#ifdef __cplusplus
}
#endif

#endif
