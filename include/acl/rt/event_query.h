// SPDX-License-Identifier: Apache-2.0
// Chapter "event, on the host": querying an event, waiting for it, and measuring time. Creating and
// recording events, and their three kinds, are in event.h.
#ifndef ACL_RT_EVENT_QUERY_H
#define ACL_RT_EVENT_QUERY_H

#include "../acl_base_rt.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Result of aclrtQueryEvent.
typedef enum aclrtEventStatus {
  ACL_EVENT_STATUS_COMPLETE = 0,   ///< complete, or never recorded
  ACL_EVENT_STATUS_NOT_READY = 1,  ///< recorded, not complete
  ACL_EVENT_STATUS_RESERVED = 2    ///< never answered
} aclrtEventStatus;

/// Result of aclrtQueryEventStatus. Note: the numbers are the reverse of aclrtEventStatus.
typedef enum aclrtEventRecordedStatus {
  ACL_EVENT_RECORDED_STATUS_NOT_READY = 0,  ///< not complete
  ACL_EVENT_RECORDED_STATUS_COMPLETE = 1    ///< complete
} aclrtEventRecordedStatus;

/// Result of aclrtQueryEventWaitStatus.
typedef enum aclrtEventWaitStatus {
  ACL_EVENT_WAIT_STATUS_COMPLETE = 0,      ///< no wait is pending
  ACL_EVENT_WAIT_STATUS_NOT_READY = 1,     ///< a wait is pending
  ACL_EVENT_WAIT_STATUS_RESERVED = 0xFFFF  ///< never answered
} aclrtEventWaitStatus;

/// Reports whether an event is complete. Never recorded: complete for the kind "Ex", not ready for
/// the others.
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_INVALID_PARAM      `event` or `status` is NULL
///   ACL_ERROR_RT_INVALID_HANDLE  `event` was destroyed or is not an event
///   ACL_ERROR_RT_FEATURE_NOT_SUPPORT  the event has the flag ACL_EVENT_EXTERNAL
ACL_FUNC_VISIBILITY aclError aclrtQueryEventStatus(aclrtEvent event,
                                                   aclrtEventRecordedStatus* status);

/// Older version of aclrtQueryEventStatus. Never recorded: complete.
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_INVALID_PARAM           `event` or `status` is NULL
///   ACL_ERROR_RT_INVALID_HANDLE       `event` was destroyed or is not an event
///   ACL_ERROR_RT_FEATURE_NOT_SUPPORT  the event is of the kind "Ex" or has the flag
///                                     ACL_EVENT_EXTERNAL
ACL_FUNC_VISIBILITY aclError aclrtQueryEvent(aclrtEvent event, aclrtEventStatus* status);

/// Reports whether all waits queued for an event have ended.
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_INVALID_PARAM           `event` or `status` is NULL
///   ACL_ERROR_RT_INVALID_HANDLE       `event` was destroyed or is not an event
///   ACL_ERROR_RT_FEATURE_NOT_SUPPORT  the event is of the kind "Ex" or has the flag
///                                     ACL_EVENT_EXTERNAL
ACL_FUNC_VISIBILITY aclError aclrtQueryEventWaitStatus(aclrtEvent event,
                                                       aclrtEventWaitStatus* status);

/// Waits until an event is complete, at once if it was never recorded.
/// Blocking: until then, without a time limit.
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_INVALID_PARAM      `event` is NULL
///   ACL_ERROR_RT_INVALID_HANDLE  `event` was destroyed or is not an event
///   ACL_ERROR_RT_FEATURE_NOT_SUPPORT  the event has the flag ACL_EVENT_EXTERNAL
ACL_FUNC_VISIBILITY aclError aclrtSynchronizeEvent(aclrtEvent event);

/// As aclrtSynchronizeEvent, for a limited time.
/// [in] timeout  milliseconds, or -1 for no limit
/// Blocking: until the event is complete or the time limit has passed.
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_RT_PARAM_INVALID       `timeout` is less than -1
///   ACL_ERROR_INVALID_PARAM          `event` is NULL
///   ACL_ERROR_RT_PARAM_INVALID       `timeout` is 0
///   ACL_ERROR_RT_INVALID_HANDLE      `event` was destroyed or is not an event
///   ACL_ERROR_RT_FEATURE_NOT_SUPPORT  the event has the flag ACL_EVENT_EXTERNAL
///   ACL_ERROR_RT_EVENT_SYNC_TIMEOUT  the time limit has passed
ACL_FUNC_VISIBILITY aclError aclrtSynchronizeEventWithTimeout(aclrtEvent event, int32_t timeout);

/// Gets the time from one event to another.
/// [out] ms  milliseconds; negative when `endEvent` was complete before `startEvent`
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_INVALID_PARAM               `ms`, `startEvent` or `endEvent` is NULL
///   ACL_ERROR_RT_INVALID_HANDLE           an event was destroyed or is not an event
///   ACL_ERROR_RT_FEATURE_NOT_SUPPORT      an event has the flag ACL_EVENT_IPC
///   ACL_ERROR_RT_INTERNAL_ERROR           an event was never recorded
///   ACL_ERROR_RT_EVENT_TIMESTAMP_INVALID  an event is recorded but not complete
ACL_FUNC_VISIBILITY aclError aclrtEventElapsedTime(float* ms, aclrtEvent startEvent,
                                                   aclrtEvent endEvent);

/// Reports when an event became complete.
/// [out] timestamp  microseconds on a monotonic clock, the same for all events of a device
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_INVALID_PARAM               `event` or `timestamp` is NULL
///   ACL_ERROR_RT_INVALID_HANDLE           `event` was destroyed or is not an event
///   ACL_ERROR_RT_FEATURE_NOT_SUPPORT      the event has the flag ACL_EVENT_IPC
///   ACL_ERROR_RT_INTERNAL_ERROR           the event was never recorded
///   ACL_ERROR_RT_EVENT_TIMESTAMP_INVALID  the event is recorded but not complete
ACL_FUNC_VISIBILITY aclError aclrtEventGetTimestamp(aclrtEvent event, uint64_t* timestamp);

/// Gets the number of an event, unique on its device for the lifetime of the event.
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_INVALID_PARAM      `event` or `eventId` is NULL
///   ACL_ERROR_RT_INVALID_HANDLE  `event` was destroyed or is not an event
ACL_FUNC_VISIBILITY aclError aclrtGetEventId(aclrtEvent event, uint32_t* eventId);

/// Reports how many more events can be created on the device of the current context.
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_INVALID_PARAM    `eventCount` is NULL
///   ACL_ERROR_RT_CONTEXT_NULL  no current context
ACL_FUNC_VISIBILITY aclError aclrtGetEventAvailNum(uint32_t* eventCount);

#ifdef __cplusplus
}
#endif

#endif
