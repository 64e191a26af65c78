// SPDX-License-Identifier: Apache-2.0
// Chapter "stream": creating, synchronising and querying streams. Configuration handles, attributes
// and failure modes are in stream_config.h; waits between streams are in event.h and notify.h.
#ifndef ACL_RT_STREAM_H
#define ACL_RT_STREAM_H

#include "../acl_base_rt.h"

// A stream runs its work in the order in which it was queued. Work on different streams runs in any
// order, unless an event or a notify orders it. A device has 1984 streams, default streams
// included. Two threads may queue work on one stream at once; the order of their work is then the
// order of the calls.

// Flags of a stream. Other bits are ignored.
#define ACL_STREAM_FAST_LAUNCH 0x00000001U      ///< a hint: queueing should be quick
#define ACL_STREAM_FAST_SYNC 0x00000002U        ///< a hint: waiting should be quick
#define ACL_STREAM_PERSISTENT 0x00000004U       ///< keeps its work; waiting returns at once
#define ACL_STREAM_HUGE 0x00000008U             ///< a hint: room for very many tasks
#define ACL_STREAM_CPU_SCHEDULE 0x00000010U     ///< for the AI CPU; waiting returns at once
#define ACL_STREAM_DEVICE_USE_ONLY 0x00000020U  ///< for the device; waiting returns at once

#ifdef __cplusplus
extern "C" {
#endif

/// Result of aclrtStreamQuery.
typedef enum aclrtStreamStatus {
  ACL_STREAM_STATUS_COMPLETE = 0,      ///< all work is done
  ACL_STREAM_STATUS_NOT_READY = 1,     ///< work is left
  ACL_STREAM_STATUS_RESERVED = 0xFFFF  ///< never answered
} aclrtStreamStatus;

/// When a callback of aclrtRegStreamStateCallback is called.
typedef enum aclrtStreamState {
  ACL_RT_STREAM_STATE_CREATE_POST = 1,
  ACL_RT_STREAM_STATE_DESTROY_PRE = 2
} aclrtStreamState;

/// Comparison of aclrtSwitchStream.
typedef enum aclrtCondition {
  ACL_RT_EQUAL = 0,
  ACL_RT_NOT_EQUAL = 1,
  ACL_RT_GREATER = 2,
  ACL_RT_GREATER_OR_EQUAL = 3,
  ACL_RT_LESS = 4,
  ACL_RT_LESS_OR_EQUAL = 5
} aclrtCondition;

/// Type of the values aclrtSwitchStream compares.
typedef enum aclrtCompareDataType {
  ACL_RT_SWITCH_INT32 = 0,
  ACL_RT_SWITCH_INT64 = 1
} aclrtCompareDataType;

/// Called when a stream was created or is about to be destroyed.
typedef void (*aclrtStreamStateCallback)(aclrtStream, aclrtStreamState, void*);

/// Creates a stream in the current context, of the highest priority and without flags.
/// [out] stream  to be released with aclrtDestroyStream
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_INVALID_PARAM          `stream` is NULL
///   ACL_ERROR_RT_CONTEXT_NULL        no current context
///   ACL_ERROR_RT_NO_STREAM_RESOURCE  all streams of the device are in use
ACL_FUNC_VISIBILITY aclError aclrtCreateStream(aclrtStream* stream);

/// Creates a stream in the current context.
/// [out] stream  to be released with aclrtDestroyStream
/// [in] priority  0 is the highest, 7 the lowest; larger values count as the lowest
/// [in] flag  any of the ACL_STREAM_ flags above, or 0
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_INVALID_PARAM          `stream` is NULL
///   ACL_ERROR_RT_PARAM_INVALID       ACL_STREAM_DEVICE_USE_ONLY together with another flag
///   ACL_ERROR_RT_CONTEXT_NULL        no current context
///   ACL_ERROR_RT_NO_STREAM_RESOURCE  all streams of the device are in use
ACL_FUNC_VISIBILITY aclError aclrtCreateStreamWithConfig(aclrtStream* stream, uint32_t priority,
                                                         uint32_t flag);

/// Waits for the work of a stream, then destroys it. Here NULL does not name the default stream.
/// A failure kept on the stream is lost.
/// Blocking: until the stream's work is done.
/// Threads: no other thread may use the stream any more.
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_INVALID_PARAM      `stream` is NULL
///   ACL_ERROR_RT_INVALID_HANDLE  `stream` was destroyed or is not a stream
///   ACL_ERROR_RT_CONTEXT_NULL    no current context
///   ACL_ERROR_RT_STREAM_CONTEXT  `stream` belongs to another context
///   ACL_ERROR_RT_PARAM_INVALID   `stream` is a default stream
ACL_FUNC_VISIBILITY aclError aclrtDestroyStream(aclrtStream stream);

/// As aclrtDestroyStream, but work that has not started is dropped, and waits for it return
/// ACL_ERROR_RT_STREAM_ABORT.
/// Blocking: at most until the running task is done.
/// Threads: no other thread may use the stream any more.
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_INVALID_PARAM      `stream` is NULL
///   ACL_ERROR_RT_INVALID_HANDLE  `stream` was destroyed or is not a stream
///   ACL_ERROR_RT_CONTEXT_NULL    no current context
///   ACL_ERROR_RT_STREAM_CONTEXT  `stream` belongs to another context
///   ACL_ERROR_RT_PARAM_INVALID   `stream` is a default stream
ACL_FUNC_VISIBILITY aclError aclrtDestroyStreamForce(aclrtStream stream);

/// Waits until all work queued on a stream so far is done, and returns the failure kept on it. The
/// stream may belong to another context.
/// Blocking: until then, without a time limit. Not for streams with the flag PERSISTENT,
/// CPU_SCHEDULE or DEVICE_USE_ONLY: for these the call returns ACL_SUCCESS at once.
/// Threads: any number at once; only one of them gets a failure.
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_RT_INVALID_HANDLE  `stream` was destroyed or is not a stream
///   ACL_ERROR_RT_CONTEXT_NULL    no current context
///   ACL_ERROR_RT_STREAM_ABORT    the stream was aborted meanwhile
///   (a task's code)              of the last task that failed since the last synchronisation, and
///                                which is thereby cleared: ACL_ERROR_RT_TS_ERROR for a copy with a
///                                bad range, ACL_ERROR_RT_WAIT_TIMEOUT for a wait that timed out,
///                                ACL_ERROR_RT_STREAM_NO_CB_REG for callbacks that no thread serves
///                                any more. In a context that stops on failure it is the first one,
///                                and it is not cleared.
ACL_FUNC_VISIBILITY aclError aclrtSynchronizeStream(aclrtStream stream);

/// As aclrtSynchronizeStream, for a limited time.
/// [in] timeout  milliseconds, or -1 for no limit
/// Blocking: until the work is done or the time limit has passed.
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_RT_PARAM_INVALID        `timeout` is less than -1
///   ACL_ERROR_RT_INVALID_HANDLE       `stream` was destroyed or is not a stream
///   ACL_ERROR_RT_PARAM_INVALID        `timeout` is 0
///   ACL_ERROR_RT_CONTEXT_NULL         no current context
///   ACL_ERROR_RT_STREAM_SYNC_TIMEOUT  the time limit has passed; the work goes on
///   ACL_ERROR_RT_STREAM_ABORT         the stream was aborted meanwhile
///   (a task's code)                   as for aclrtSynchronizeStream
ACL_FUNC_VISIBILITY aclError aclrtSynchronizeStreamWithTimeout(aclrtStream stream, int32_t timeout);

/// Reports whether a stream has work left. The stream may belong to another context. A
/// failure kept on the stream is not reported, and stays there.
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_INVALID_PARAM      `status` is NULL
///   ACL_ERROR_RT_INVALID_HANDLE  `stream` was destroyed or is not a stream
///   ACL_ERROR_RT_CONTEXT_NULL    no current context
///   (a task's code)              in a context that stops on failure, of the first task that
///                                failed
ACL_FUNC_VISIBILITY aclError aclrtStreamQuery(aclrtStream stream, aclrtStreamStatus* status);

/// Drops the work of a stream that has not started, and ends all waits for it with
/// ACL_ERROR_RT_STREAM_ABORT. The stream can be used again afterwards.
/// Blocking: at most until the running task is done.
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_RT_INVALID_HANDLE  `stream` was destroyed or is not a stream
///   ACL_ERROR_RT_CONTEXT_NULL    no current context
///   ACL_ERROR_RT_STREAM_CONTEXT  `stream` belongs to another context
ACL_FUNC_VISIBILITY aclError aclrtStreamAbort(aclrtStream stream);

/// Gets the default stream of the current context. It must not be destroyed.
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_INVALID_PARAM    `stream` is NULL
///   ACL_ERROR_RT_CONTEXT_NULL  no current context
ACL_FUNC_VISIBILITY aclError aclrtCtxGetCurrentDefaultStream(aclrtStream* stream);

/// Gets the number of a stream, unique on its device for the lifetime of the stream.
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_INVALID_PARAM      `streamId` is NULL
///   ACL_ERROR_RT_INVALID_HANDLE  `stream` was destroyed or is not a stream
///   ACL_ERROR_RT_CONTEXT_NULL    `stream` is NULL and there is no current context
ACL_FUNC_VISIBILITY aclError aclrtStreamGetId(aclrtStream stream, int32_t* streamId);

/// Gets the priority a stream was created with, after limiting it to the range.
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_INVALID_PARAM      `priority` is NULL
///   ACL_ERROR_RT_INVALID_HANDLE  `stream` was destroyed or is not a stream
///   ACL_ERROR_RT_CONTEXT_NULL    `stream` is NULL and there is no current context
ACL_FUNC_VISIBILITY aclError aclrtStreamGetPriority(aclrtStream stream, uint32_t* priority);

/// Gets the flags a stream was created with; ignored bits are not among them.
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_INVALID_PARAM      `flags` is NULL
///   ACL_ERROR_RT_INVALID_HANDLE  `stream` was destroyed or is not a stream
///   ACL_ERROR_RT_CONTEXT_NULL    `stream` is NULL and there is no current context
ACL_FUNC_VISIBILITY aclError aclrtStreamGetFlags(aclrtStream stream, uint32_t* flags);

/// Gets the range of priorities: 0 is the greatest, 7 the least.
/// [out] leastPriority, greatestPriority  either may be NULL
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_RT_CONTEXT_NULL  no current context
ACL_FUNC_VISIBILITY aclError aclrtDeviceGetStreamPriorityRange(int32_t* leastPriority,
                                                               int32_t* greatestPriority);

/// Reports how many more streams can be created on the device of the current context.
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_INVALID_PARAM    `streamCount` is NULL
///   ACL_ERROR_RT_CONTEXT_NULL  no current context
ACL_FUNC_VISIBILITY aclError aclrtGetStreamAvailableNum(uint32_t* streamCount);

/// Queues on a stream that is bound to a model that another one, of the same model, starts.
/// Returns ACL_SUCCESS, or 100000 for NULL, 107017, 107005 unless both are bound to one model,
/// 107002, 107003.
ACL_FUNC_VISIBILITY aclError aclrtActiveStream(aclrtStream activeStream, aclrtStream stream);

/// Queues on a stream that is bound to a model a comparison of two numbers in device memory, read
/// in each run: if it holds, trueStream starts, and the rest of the stream is skipped.
/// [in] falseStream  NULL
/// Returns ACL_SUCCESS, or 100000 for NULL or a falseStream, 107000 for another comparison or type,
/// 107017, 107005 unless both streams are bound to one model, 107002, 107003.
ACL_FUNC_VISIBILITY aclError aclrtSwitchStream(void* leftValue, aclrtCondition cond,
                                               void* rightValue, aclrtCompareDataType dataType,
                                               aclrtStream trueStream, aclrtStream falseStream,
                                               aclrtStream stream);

/// Registers under a name a function that is called when a stream was created or is about to be
/// destroyed, default streams included, in the thread that does so.
/// [in] callback  NULL removes the one of that name, if there is one
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_INVALID_PARAM     `regName` is NULL
///   ACL_ERROR_RT_PARAM_INVALID  the name is in use
ACL_FUNC_VISIBILITY aclError aclrtRegStreamStateCallback(const char* regName,
                                                         aclrtStreamStateCallback callback,
                                                         void* args);

/// Ends the task that runs on a stream, or for which it waits, as aclrtStreamAbort does. Tasks
/// behind it stay and run after the next submission; until then, synchronising the stream fails
/// with ACL_ERROR_RT_STREAM_ABORT.
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_RT_PARAM_INVALID        `stream` is NULL
///   ACL_ERROR_RT_INVALID_HANDLE       `stream` is not a live stream
///   ACL_ERROR_RT_CONTEXT_NULL         the calling thread has no context
///   ACL_ERROR_RT_STREAM_CONTEXT       the stream belongs to another context
///   ACL_ERROR_RT_INTERNAL_ERROR       the stream is bound to a model
///   ACL_ERROR_RT_FEATURE_NOT_SUPPORT  the device cannot do it: it is no CPU device
ACL_FUNC_VISIBILITY aclError aclrtStreamStop(aclrtStream stream);

/// Removes the tasks that a stream has stored in a model of aclmdlRIBuildBegin. The stream takes
/// new tasks afterwards, which the next run executes; an end task among those removed has to be
/// queued again with aclmdlRIEndTask, or the run is over when all streams are.
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_RT_PARAM_INVALID        `stream` is NULL
///   ACL_ERROR_RT_INVALID_HANDLE       `stream` is not a live stream
///   ACL_ERROR_RT_FEATURE_NOT_SUPPORT  the product is neither A2 nor A3
///   ACL_ERROR_RT_INTERNAL_ERROR       the stream was made without ACL_STREAM_PERSISTENT, is
///                                     not bound to a model, or the model is not built
///   ACL_ERROR_RT_CONTEXT_NULL         the calling thread has no context
///   ACL_ERROR_RT_STREAM_CONTEXT       the stream belongs to another context
///   ACL_ERROR_RT_MODEL_RUNNING        the model runs
ACL_FUNC_VISIBILITY aclError aclrtPersistentTaskClean(aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
