// SPDX-License-Identifier: Apache-2.0
// Chapter "event": creating and recording events, and letting streams wait for them. Queries, waits
// and timing on the host are in event_query.h.
#ifndef ACL_RT_EVENT_H
#define ACL_RT_EVENT_H

#include "../acl_base_rt.h"

// An event marks a point in a stream. It is complete when all work queued before the record is
// done. There are three kinds, by the function that creates them:
//   plain  aclrtCreateEvent: for waiting, timing and queries
//   flag   aclrtCreateEventWithFlag: for what its flags say
//   Ex     aclrtCreateEventExWithFlag: for what its flags say; cannot be reset
// Recording an event again moves the mark; waits already queued keep the old one. A device has
// 65536 events.

// Flags of an event.
#define ACL_EVENT_SYNC 0x00000001U                     ///< streams can wait for it
#define ACL_EVENT_CAPTURE_STREAM_PROGRESS 0x00000002U  ///< it can be queried
#define ACL_EVENT_TIME_LINE 0x00000008U                ///< it records the time
#define ACL_EVENT_DEVICE_USE_ONLY 0x00000010U          ///< the host cannot record it
#define ACL_EVENT_EXTERNAL 0x00000020U                 ///< it marks a place inside captured work
#define ACL_EVENT_IPC 0x00000040U                      ///< it can be shared with another process

// Flags of aclrtRecordEventWithFlag and aclrtStreamWaitEventWithFlag.
#define ACL_EVENT_RECORD_DEFAULT 0x0U    ///< as aclrtRecordEvent
#define ACL_EVENT_RECORD_EXTERNAL 0x01U  ///< the record is a separate step in captured work
#define ACL_EVENT_WAIT_DEFAULT 0x0U      ///< as aclrtStreamWaitEvent
#define ACL_EVENT_WAIT_EXTERNAL 0x01U    ///< the wait is a separate step in captured work

#define ACL_IPC_EVENT_HANDLE_SIZE 64U  ///< bytes in aclrtIpcEventHandle

#ifdef __cplusplus
extern "C" {
#endif

/// An event as another process sees it.
typedef struct aclrtIpcEventHandle {
  char reserved[ACL_IPC_EVENT_HANDLE_SIZE];
} aclrtIpcEventHandle;

/// Creates a plain event on the device of the current context: usable for waiting, timing and
/// queries.
/// [out] event  to be released with aclrtDestroyEvent
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_INVALID_PARAM         `event` is NULL
///   ACL_ERROR_RT_CONTEXT_NULL       no current context
///   ACL_ERROR_RT_NO_EVENT_RESOURCE  all events of the device are in use
ACL_FUNC_VISIBILITY aclError aclrtCreateEvent(aclrtEvent* event);

/// Creates an event of the kind "flag" on the device of the current context.
/// [out] event  to be released with aclrtDestroyEvent
/// [in] flag  any of SYNC, CAPTURE_STREAM_PROGRESS and TIME_LINE, or DEVICE_USE_ONLY alone, or
///      EXTERNAL alone
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_INVALID_PARAM         `event` is NULL
///   ACL_ERROR_RT_PARAM_INVALID      `flag` is 0 or none of these
///   ACL_ERROR_RT_CONTEXT_NULL       no current context
///   ACL_ERROR_RT_NO_EVENT_RESOURCE  all events of the device are in use
ACL_FUNC_VISIBILITY aclError aclrtCreateEventWithFlag(aclrtEvent* event, uint32_t flag);

/// Creates an event of the kind "Ex" on the device of the current context.
/// [out] event  to be released with aclrtDestroyEvent
/// [in] flag  any of SYNC, CAPTURE_STREAM_PROGRESS and TIME_LINE, or IPC alone
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_INVALID_PARAM         `event` is NULL
///   ACL_ERROR_RT_PARAM_INVALID      `flag` is 0 or none of these
///   ACL_ERROR_RT_CONTEXT_NULL       no current context
///   ACL_ERROR_RT_NO_EVENT_RESOURCE  all events of the device are in use
///   ACL_ERROR_RT_MEMORY_ALLOCATION  IPC: the system has no memory or file descriptor left
ACL_FUNC_VISIBILITY aclError aclrtCreateEventExWithFlag(aclrtEvent* event, uint32_t flag);

/// Destroys an event. If it is not complete yet, its resources are freed on completion; queued
/// records and waits still happen. Needs no context.
/// Threads: no other thread may use the event any more.
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_INVALID_PARAM      `event` is NULL
///   ACL_ERROR_RT_INVALID_HANDLE  `event` was destroyed or is not an event
ACL_FUNC_VISIBILITY aclError aclrtDestroyEvent(aclrtEvent event);

/// Queues on a stream the mark of an event.
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_INVALID_PARAM      `event` is NULL
///   ACL_ERROR_RT_INVALID_HANDLE  `event` or `stream` was destroyed or is of another type
///   ACL_ERROR_RT_CONTEXT_NULL    no current context
///   ACL_ERROR_RT_STREAM_CONTEXT  `stream` belongs to another context
///   ACL_ERROR_RT_PARAM_INVALID   the event has the flag ACL_EVENT_DEVICE_USE_ONLY
ACL_FUNC_VISIBILITY aclError aclrtRecordEvent(aclrtEvent event, aclrtStream stream);

/// As aclrtRecordEvent. With ACL_EVENT_RECORD_EXTERNAL, on a stream in a capture only, each run of
/// the model makes a new recording that counts outside of the model.
/// [in] flag  ACL_EVENT_RECORD_DEFAULT or ACL_EVENT_RECORD_EXTERNAL; the same for all records of an
///            event
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_RT_PARAM_INVALID   `event` is NULL; `flag` is not 0 or 1, or differs from that of an
///                                earlier record
///   107000, 207000, 107029       with EXTERNAL: the event is used in the model already; it was not
///                                made with ACL_EVENT_SYNC alone; the stream is in no capture
///   ACL_ERROR_RT_INVALID_HANDLE  `event` or `stream` was destroyed or is of another type
///   ACL_ERROR_RT_CONTEXT_NULL    no current context
///   ACL_ERROR_RT_STREAM_CONTEXT  `stream` belongs to another context
///   ACL_ERROR_RT_PARAM_INVALID   the event has the flag ACL_EVENT_DEVICE_USE_ONLY
ACL_FUNC_VISIBILITY aclError aclrtRecordEventWithFlag(aclrtEvent event, aclrtStream stream,
                                                      uint32_t flag);

/// Makes a plain or flag event "not recorded" again for the calls that follow. Waits queued
/// before keep the record they wait for.
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_INVALID_PARAM           `event` is NULL
///   ACL_ERROR_RT_INVALID_HANDLE       `event` or `stream` was destroyed or is of another type
///   ACL_ERROR_RT_CONTEXT_NULL         no current context
///   ACL_ERROR_RT_STREAM_CONTEXT       `stream` belongs to another context
///   ACL_ERROR_RT_FEATURE_NOT_SUPPORT  the event is of the kind "Ex"
ACL_FUNC_VISIBILITY aclError aclrtResetEvent(aclrtEvent event, aclrtStream stream);

/// Lets a stream wait: work queued on it later runs after the event is complete. The event is
/// taken as it is now: recording it again later does not move this wait. The event may have been
/// recorded in another context and on another device. Time limit: see aclrtSetOpWaitTimeout.
/// An event that was never recorded is treated by its kind. Ex: no wait is queued. Flag: the
/// wait is queued and ends with the first record. Plain: an error.
/// Returns ACL_SUCCESS (also when nothing needs to be waited for), or
///   ACL_ERROR_INVALID_PARAM           `event` is NULL
///   ACL_ERROR_RT_INVALID_HANDLE       `event` or `stream` was destroyed or is of another type
///   ACL_ERROR_RT_FEATURE_NOT_SUPPORT  the event has no other flags than TIME_LINE and
///                                     CAPTURE_STREAM_PROGRESS
///   ACL_ERROR_RT_PARAM_INVALID        a plain event that was never recorded
///   ACL_ERROR_RT_CONTEXT_NULL         no current context
///   ACL_ERROR_RT_STREAM_CONTEXT       `stream` belongs to another context
ACL_FUNC_VISIBILITY aclError aclrtStreamWaitEvent(aclrtStream stream, aclrtEvent event);

/// As aclrtStreamWaitEvent, with its own time limit. When it has passed the stream goes on, and
/// keeps ACL_ERROR_RT_WAIT_TIMEOUT for its next synchronisation.
/// [in] timeout  seconds; 0 for no limit
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_RT_PARAM_INVALID        `timeout` is less than 0
///   ACL_ERROR_RT_PARAM_INVALID        `event` is NULL
///   ACL_ERROR_RT_INVALID_HANDLE       `event` or `stream` was destroyed or is of another type
///   ACL_ERROR_RT_FEATURE_NOT_SUPPORT  the event has no other flags than TIME_LINE and
///                                     CAPTURE_STREAM_PROGRESS
///   ACL_ERROR_RT_PARAM_INVALID        a plain event that was never recorded
///   ACL_ERROR_RT_CONTEXT_NULL         no current context
///   ACL_ERROR_RT_STREAM_CONTEXT       `stream` belongs to another context
ACL_FUNC_VISIBILITY aclError aclrtStreamWaitEventWithTimeout(aclrtStream stream, aclrtEvent event,
                                                             int32_t timeout);

/// As aclrtStreamWaitEvent, with its own time limit as for aclrtStreamWaitEventWithTimeout. With
/// ACL_EVENT_WAIT_EXTERNAL, on a stream in a capture only, each run of the model waits for the
/// latest recording outside of the model when it was launched.
/// [in] timeout  seconds; 0 for no limit, as it must be with ACL_EVENT_WAIT_EXTERNAL
/// [in] flag  ACL_EVENT_WAIT_DEFAULT or ACL_EVENT_WAIT_EXTERNAL; the same for all waits for it
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_RT_PARAM_INVALID        `event` is NULL; `flag` is not 0 or 1, or differs from that
///                                     of an earlier wait
///   107000, 207000, 107029            with EXTERNAL: the event is used in the model already; it
///                                     was not made with ACL_EVENT_SYNC alone; the stream is in no
///                                     capture
///   ACL_ERROR_RT_INVALID_HANDLE       `event` or `stream` was destroyed or is of another type
///   ACL_ERROR_RT_FEATURE_NOT_SUPPORT  the event has no other flags than TIME_LINE and
///                                     CAPTURE_STREAM_PROGRESS
///   ACL_ERROR_RT_PARAM_INVALID        a plain event that was never recorded
///   ACL_ERROR_RT_CONTEXT_NULL         no current context
///   ACL_ERROR_RT_STREAM_CONTEXT       `stream` belongs to another context
ACL_FUNC_VISIBILITY aclError aclrtStreamWaitEventWithFlag(aclrtStream stream, aclrtEvent event,
                                                          uint32_t timeout, uint32_t flag);

/// Sets the time limit for aclrtStreamWaitEvent, for all waits queued later in the process. When
/// it has passed the stream goes on, and keeps ACL_ERROR_RT_WAIT_TIMEOUT for its next
/// synchronisation.
/// [in] timeout  seconds; 0, the value at the start, for no limit
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_RT_CONTEXT_NULL  no current context
ACL_FUNC_VISIBILITY aclError aclrtSetOpWaitTimeout(uint32_t timeout);

/// Gets a handle by which other processes of the same user can open an event: bytes that the
/// program carries to them, all 64. The event must live until they have opened it. Needs no
/// context.
///
/// Each process records the event on its own streams and destroys it by itself. A record of any
/// process replaces the one before: aclrtStreamWaitEvent, aclrtQueryEventStatus and
/// aclrtSynchronizeEvent refer to the newest record issued by any process. If the process of that
/// record ends before the record is reached, those that wait for it get ACL_ERROR_RT_STREAM_ABORT.
/// 8192 records of an event may be in flight; the next aclrtRecordEvent waits for the oldest one.
/// [in] event  with the flag ACL_EVENT_IPC, created or opened by this process
/// [out] handle  the same bytes at each call
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_INVALID_PARAM          `handle` or `event` is NULL
///   ACL_ERROR_RT_INVALID_HANDLE      `event` was destroyed or is not an event
///   ACL_ERROR_RT_PARAM_INVALID       the event lacks the flag ACL_EVENT_IPC
///   ACL_ERROR_RT_MEMORY_ALLOCATION   the system has no memory or file descriptor left
///   ACL_ERROR_RT_RESOURCE_ALLOC_FAIL the system has no socket or thread left
ACL_FUNC_VISIBILITY aclError aclrtIpcGetEventHandle(aclrtEvent event, aclrtIpcEventHandle* handle);

/// Opens an event by the handle of aclrtIpcGetEventHandle, also in the process that created it. It
/// becomes an event of the device of the current context, with access to the device of the creator
/// as after aclrtDeviceEnablePeerAccess.
/// Blocking: for the answer of the other process, 10 s at most.
/// [out] event  to be released with aclrtDestroyEvent
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_INVALID_PARAM          `event` is NULL
///   ACL_ERROR_RT_CONTEXT_NULL        no current context
///   ACL_ERROR_RT_NO_EVENT_RESOURCE   all events of the device are in use
///   ACL_ERROR_RT_INVALID_HANDLE      no process offers the event: its creator has ended, or all
///                                    processes have destroyed it
///   ACL_ERROR_RT_DRV_INTERNAL_ERROR  the process of the event does not answer
///   ACL_ERROR_RT_MEMORY_ALLOCATION   the system has no memory or file descriptor left
ACL_FUNC_VISIBILITY aclError aclrtIpcOpenEventHandle(aclrtIpcEventHandle handle, aclrtEvent* event);

#ifdef __cplusplus
}
#endif

#endif
