// SPDX-License-Identifier: Apache-2.0
// Chapter "callbacks": functions of the program that run on the host in stream order. Reports about
// failed tasks are in errors.h.
#ifndef ACL_RT_CALLBACK_H
#define ACL_RT_CALLBACK_H

#include "../acl_base_rt.h"

// There are two kinds, and a stream uses one of them:
//   A thread of the program serves the stream: aclrtSubscribeReport names it, it calls
//   aclrtProcessReport in a loop, and functions queued with aclrtLaunchCallback run inside that
//   call. A thread of the library serves the stream: functions queued with aclrtLaunchHostFunc run
//   on one thread per context.
// Functions never run on a thread that synchronises. They must not allocate, free, queue, wait or
// abort.

#ifdef __cplusplus
extern "C" {
#endif

/// Whether a stream waits for a callback to return.
typedef enum aclrtCallbackBlockType {
  ACL_CALLBACK_NO_BLOCK = 0,  ///< later work of the stream does not wait
  ACL_CALLBACK_BLOCK = 1      ///< later work of the stream waits
} aclrtCallbackBlockType;

/// Called with the `userData` of aclrtLaunchCallback.
typedef void (*aclrtCallback)(void*);

/// Called with the `args` of aclrtLaunchHostFunc.
typedef void (*aclrtHostFunc)(void*);

/// Names the thread that serves the callbacks of a stream. One thread can serve many streams of
/// one device.
/// [in] threadId  the thread, as returned by pthread_self
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_RT_INVALID_HANDLE    `stream` was destroyed or is not a stream
///   ACL_ERROR_RT_CONTEXT_NULL      `stream` is NULL and there is no current context
///   ACL_ERROR_RT_STREAM_SUBSCRIBE  the stream is already served by a thread, or was used by
///                                  aclrtLaunchHostFunc
///   ACL_ERROR_RT_THREAD_SUBSCRIBE  the thread serves a stream of another device
ACL_FUNC_VISIBILITY aclError aclrtSubscribeReport(uint64_t threadId, aclrtStream stream);

/// Queues a call of `fn` on a stream. It runs on the thread that serves the stream. If it does not
/// return (it throws, leaves with longjmp or ends its thread), the stream continues, and its next
/// synchronisation returns ACL_ERROR_RT_TS_ERROR.
/// [in] userData  passed on to `fn`; not interpreted
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_INVALID_PARAM        `blockType` is not 0 or 1
///   ACL_ERROR_RT_INVALID_HANDLE    `stream` was destroyed or is not a stream
///   ACL_ERROR_RT_PARAM_INVALID     `fn` is NULL
///   ACL_ERROR_RT_CONTEXT_NULL      no current context
///   ACL_ERROR_RT_STREAM_CONTEXT    `stream` belongs to another context
///   ACL_ERROR_RT_STREAM_NO_CB_REG  no thread serves the stream
///   ACL_ERROR_RT_STREAM_SUBSCRIBE  the stream was used by aclrtLaunchHostFunc
ACL_FUNC_VISIBILITY aclError aclrtLaunchCallback(aclrtCallback fn, void* userData,
                                                 aclrtCallbackBlockType blockType,
                                                 aclrtStream stream);

/// Runs one callback of the streams the calling thread serves: it waits until there is one, runs
/// it and returns. A thread that serves no stream yet waits for its subscription first. Needs no
/// context.
/// [in] timeout  milliseconds, or -1 for no limit
/// Blocking: until a callback has run or the time limit has passed.
/// Returns ACL_SUCCESS when a callback has run, or
///   ACL_ERROR_INTERNAL_ERROR       the callback threw an exception
///   ACL_ERROR_INVALID_PARAM        `timeout` is 0 or less than -1
///   ACL_ERROR_RT_THREAD_SUBSCRIBE  the time limit has passed, and the thread serves no stream
///   ACL_ERROR_RT_REPORT_TIMEOUT    the time limit has passed, and no callback arrived
ACL_FUNC_VISIBILITY aclError aclrtProcessReport(int32_t timeout);

/// Undoes aclrtSubscribeReport. Callbacks not delivered yet are dropped: the stream goes on, and
/// keeps ACL_ERROR_RT_STREAM_NO_CB_REG for its next synchronisation.
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_RT_INVALID_HANDLE    `stream` was destroyed or is not a stream
///   ACL_ERROR_RT_CONTEXT_NULL      `stream` is NULL and there is no current context
///   ACL_ERROR_RT_STREAM_SUBSCRIBE  no thread serves the stream
///   ACL_ERROR_RT_THREAD_SUBSCRIBE  another thread serves the stream
ACL_FUNC_VISIBILITY aclError aclrtUnSubscribeReport(uint64_t threadId, aclrtStream stream);

/// Queues a call of `fn` on a stream. It runs on a thread of the library, one per context. Later
/// work of the stream waits until `fn` returns. If it throws or ends its thread instead, the stream
/// continues, and its next synchronisation returns ACL_ERROR_RT_TS_ERROR.
/// [in] args  passed on to `fn`; not interpreted
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_RT_INVALID_HANDLE    `stream` was destroyed or is not a stream
///   ACL_ERROR_RT_PARAM_INVALID     `fn` is NULL
///   ACL_ERROR_RT_CONTEXT_NULL      no current context
///   ACL_ERROR_RT_STREAM_CONTEXT    `stream` belongs to another context
///   ACL_ERROR_RT_STREAM_SUBSCRIBE  the stream is served by a thread of the program
ACL_FUNC_VISIBILITY aclError aclrtLaunchHostFunc(aclrtStream stream, aclrtHostFunc fn, void* args);

/// Names the thread of the program that runs the host functions of a stream. Not supported.
ACL_FUNC_VISIBILITY aclError aclrtSubscribeHostFunc(uint64_t hostFuncThreadId,
                                                    aclrtStream exeStream);

/// Runs a host function on the calling thread, which aclrtSubscribeHostFunc named. Not
/// supported.
ACL_FUNC_VISIBILITY aclError aclrtProcessHostFunc(int32_t timeout);

/// Undoes aclrtSubscribeHostFunc. Not supported.
ACL_FUNC_VISIBILITY aclError aclrtUnSubscribeHostFunc(uint64_t hostFuncThreadId,
                                                      aclrtStream exeStream);

#ifdef __cplusplus
}
#endif

#endif
