// SPDX-License-Identifier: Apache-2.0
// Chapter "captured models": recording the work queued on streams and running it again as a whole.
// Common to all functions, unless they say otherwise: 100000 for NULL; 107017 for a handle that is
// not that of a live object; 107002 without a context; 107003 for a stream and 107004 for a model
// of another context than the calling thread's. Any thread may call them; none blocks, except
// aclmdlRIExecute and aclmdlRIDestroy. A branch of a condition is refused with 207000 where its
// model is meant. docs/models.md is the guide.
#ifndef ACL_RT_CAPTURED_MODEL_H
#define ACL_RT_CAPTURED_MODEL_H

#include "../acl_base_rt.h"
#include "callback.h"
#include "kernel.h"

// Flags of aclmdlRIDebugJsonPrint.
#define ACL_MDLRI_DEBUG_JSON_PRINT_SUMMARY 0x0UL
#define ACL_MDLRI_DEBUG_JSON_PRINT_VERBOSE 0x1UL

// Flags of aclmdlRIBindStream: whether the stream starts with the run, or when it is activated.
#define ACL_MODEL_STREAM_FLAG_HEAD 0x00000000U
#define ACL_MODEL_STREAM_FLAG_DEFAULT 0x7FFFFFFFU

#ifdef __cplusplus
extern "C" {
#endif

/// A model.
typedef void* aclmdlRI;

/// A value that decides which branch of a model runs.
typedef void* aclmdlRICondHandle;

/// Which calls of other threads a capture forbids.
typedef enum aclmdlRICaptureMode {
  ACL_MODEL_RI_CAPTURE_MODE_GLOBAL = 0,
  ACL_MODEL_RI_CAPTURE_MODE_THREAD_LOCAL = 1,
  ACL_MODEL_RI_CAPTURE_MODE_RELAXED = 2
} aclmdlRICaptureMode;

/// State of a capture.
typedef enum aclmdlRICaptureStatus {
  ACL_MODEL_RI_CAPTURE_STATUS_NONE = 0,
  ACL_MODEL_RI_CAPTURE_STATUS_ACTIVE = 1,
  ACL_MODEL_RI_CAPTURE_STATUS_INVALIDATED = 2
} aclmdlRICaptureStatus;

/// What a task does.
typedef enum aclmdlRITaskType {
  ACL_MODEL_RI_TASK_DEFAULT = 0,
  ACL_MODEL_RI_TASK_KERNEL = 1,
  ACL_MODEL_RI_TASK_EVENT_RECORD = 2,
  ACL_MODEL_RI_TASK_EVENT_WAIT = 3,
  ACL_MODEL_RI_TASK_EVENT_RESET = 4,
  ACL_MODEL_RI_TASK_VALUE_WRITE = 5,
  ACL_MODEL_RI_TASK_VALUE_WAIT = 6
} aclmdlRITaskType;

/// When the value of a condition is set.
typedef enum aclmdlRICondHandleFlag {
  ACL_MODEL_RI_COND_HANDLE_ASSIGN_DEFAULT = 1
} aclmdlRICondHandleFlag;

/// What a condition decides.
typedef enum aclmdlRICondTaskType {
  ACL_MODEL_RI_COND_TYPE_IF = 0,
  ACL_MODEL_RI_COND_TYPE_WHILE = 1,
  ACL_MODEL_RI_COND_TYPE_SWITCH = 2
} aclmdlRICondTaskType;

/// A kernel.
typedef struct aclmdlRIKernelTaskParams {
  aclrtFuncHandle funcHandle;
  aclrtLaunchKernelCfg* cfg;
  void* args;
  uint32_t isHostArgs;
  size_t argsSize;
  uint32_t numBlocks;
  uint32_t rsv[10];
} aclmdlRIKernelTaskParams;

/// The record of an event.
typedef struct aclmdlRIEventRecordTaskParams {
  aclrtEvent event;
  uint32_t eventFlag;
  uint32_t recordFlag;
} aclmdlRIEventRecordTaskParams;

/// The wait for an event.
typedef struct aclmdlRIEventWaitTaskParams {
  aclrtEvent event;
  uint32_t eventFlag;
  uint32_t waitFlag;
} aclmdlRIEventWaitTaskParams;

/// The reset of an event.
typedef struct aclmdlRIEventResetTaskParams {
  aclrtEvent event;
  uint32_t eventFlag;
  uint32_t resetFlag;
} aclmdlRIEventResetTaskParams;

/// The writing of a value.
typedef struct aclmdlRIValueWriteTaskParams {
  void* devAddr;
  uint64_t value;
} aclmdlRIValueWriteTaskParams;

/// The wait for a value.
typedef struct aclmdlRIValueWaitTaskParams {
  void* devAddr;
  uint64_t value;
  uint32_t flag;
} aclmdlRIValueWaitTaskParams;

/// A task of any type.
typedef struct aclmdlRITaskParams {
  aclmdlRITaskType type;
  uint32_t rsv0[3];
  aclrtTaskGrp taskGrp;
  void* opInfoPtr;
  size_t opInfoSize;
  uint8_t rsv1[32];
  union {
    uint8_t rsv2[128];
    aclmdlRIKernelTaskParams kernelTaskParams;
    aclmdlRIEventRecordTaskParams eventRecordTaskParams;
    aclmdlRIEventWaitTaskParams eventWaitTaskParams;
    aclmdlRIEventResetTaskParams eventResetTaskParams;
    aclmdlRIValueWriteTaskParams valueWriteTaskParams;
    aclmdlRIValueWaitTaskParams valueWaitTaskParams;
  };
} aclmdlRITaskParams;

/// A condition with its branches.
typedef struct aclmdlRICondTaskParams {
  aclmdlRICondHandle handle;
  aclmdlRICondTaskType type;
  uint32_t size;
  aclmdlRI* modelRIArray;
} aclmdlRICondTaskParams;

/// Starts to record what is queued on a stream instead of running it. Earlier tasks keep running.
/// [in] stream  not a default stream
/// [in] mode    which calls the capture forbids: see docs/models.md
/// Returns ACL_SUCCESS, or
///   100000 stream is NULL
///   107000 mode is not 0 to 2
///   207000 the product has no captures (Ascend310B, Ascend910); the stream is the default stream
///   507000 the stream is for the device only, or for the CPU scheduler
///   107002, 107003 no context, or another one than the stream's
///   107005 the stream is bound to a model
///   107027 the stream is in a capture already, which goes on
ACL_FUNC_VISIBILITY aclError aclmdlRICaptureBegin(aclrtStream stream, aclmdlRICaptureMode mode);

/// The same, into a branch that aclmdlRIAddCondTask has made.
/// Returns ACL_SUCCESS, or
///   100000 stream or modelRI is NULL
///   107000 mode is not 0 to 2; modelRI is not a branch
///   507000, 107002, 107003, 107005, 207000 as aclmdlRICaptureBegin
///   107026 the branch is captured, or was
///   107027 the stream is in a capture
ACL_FUNC_VISIBILITY aclError aclmdlRICaptureToModelRIBegin(aclrtStream stream, aclmdlRI modelRI,
                                                           aclmdlRICaptureMode mode);

/// Reports whether a stream is in a capture, and in that of which model. Needs no context.
/// [out] status   may be NULL
/// [out] modelRI  NULL outside of a capture; may be NULL, but not both
/// Returns ACL_SUCCESS, or 100000 for NULL.
ACL_FUNC_VISIBILITY aclError aclmdlRICaptureGetInfo(aclrtStream stream,
                                                    aclmdlRICaptureStatus* status,
                                                    aclmdlRI* modelRI);

/// Ends the recording and makes a model of it, the one of aclmdlRICaptureGetInfo. All streams leave
/// the capture.
/// [out] modelRI  may be NULL for a branch of a condition only
/// Returns ACL_SUCCESS, or
///   100000 stream is NULL
///   507000, 107002, 107003, 107005, 207000 as aclmdlRICaptureBegin
///   107000 modelRI is NULL; the capture goes on
///   107029 the stream is in no capture
///   107036 the stream has joined the capture, which goes on
/// or, and the capture is discarded and *modelRI NULL,
///   107038 another thread has begun it, in another mode than RELAXED
///   507903 an earlier error has invalidated it
///   107045 a branch of a condition was not captured
///   107033 a task group is open
///   107025 a stream that has joined does not come back to the first one
ACL_FUNC_VISIBILITY aclError aclmdlRICaptureEnd(aclrtStream stream, aclmdlRI* modelRI);

/// Sets which calls captures forbid to the calling thread: GLOBAL at first.
/// [in,out] mode  receives the mode before
/// Returns ACL_SUCCESS, 100000 for NULL, 107000 for another mode than 0 to 2, 107002 without a
/// context.
ACL_FUNC_VISIBILITY aclError aclmdlRICaptureThreadExchangeMode(aclmdlRICaptureMode* mode);

/// Begins a group of kernels that can be changed later. Until its end, the stream may have no other
/// tasks (507009), and the other streams of the capture none at all (107034): both invalidate the
/// capture.
/// Returns ACL_SUCCESS, or
///   100000 stream is NULL
///   107029 the stream is not in a capture
///   107002, 107003 no context, or another one than the stream's
///   107033 a group is open in the capture, or the stream is in an update
ACL_FUNC_VISIBILITY aclError aclmdlRICaptureTaskGrpBegin(aclrtStream stream);

/// Ends such a group, which may be empty.
/// [out] handle  lives as long as the model; NULL after a failure behind 107029
/// Returns ACL_SUCCESS, or
///   100000 stream or handle is NULL
///   107029, 107002, 107003 as aclmdlRICaptureTaskGrpBegin
///   107033 no group is open on the stream
///   507009, 107034 a task was not allowed in the group
///   507903 an earlier error has invalidated the capture
ACL_FUNC_VISIBILITY aclError aclmdlRICaptureTaskGrpEnd(aclrtStream stream, aclrtTaskGrp* handle);

/// Starts to change a group: until the end, kernels that are launched on this stream do not run,
/// but replace those of the group, one after the other, with their arguments and numbers of blocks.
/// [in] stream  not in a capture
/// Launches beyond the tasks of the group fail with 507000, other tasks with 507009.
/// Returns ACL_SUCCESS, or
///   100000 stream or handle is NULL
///   107017 a handle is dead
///   107027 the stream is in a capture
///   107005 the stream is bound to a model
///   107002, 107003 no context, or another one than the stream's
///   107004 the group belongs to a model of another context
///   107033 the stream or the group is in an update already
ACL_FUNC_VISIBILITY aclError aclmdlRICaptureTaskUpdateBegin(aclrtStream stream,
                                                            aclrtTaskGrp handle);

/// Ends the change of a group. It takes effect when the stream comes to it: kernels that start
/// later have the new parameters, also in a run that is under way.
/// Returns ACL_SUCCESS, or
///   100000, 107027, 107005, 107002, 107003 as aclmdlRICaptureTaskUpdateBegin
///   107033 the stream is in no update
///   507000 there were fewer launches than tasks: nothing changes, and the update is left
ACL_FUNC_VISIBILITY aclError aclmdlRICaptureTaskUpdateEnd(aclrtStream stream);

/// Starts to build a model from streams.
/// [in] flag  ignored
/// Returns ACL_SUCCESS, 100000 for NULL or 107002.
ACL_FUNC_VISIBILITY aclError aclmdlRIBuildBegin(aclmdlRI* modelRI, uint32_t flag);

/// Adds a stream to a model: its tasks are stored from now on.
/// [in] stream  made with ACL_STREAM_PERSISTENT
/// [in] flag    0: it starts with the run; otherwise it starts when a task activates it
/// Returns ACL_SUCCESS, or
///   100000 modelRI is NULL
///   107000 stream is NULL without a context; modelRI was made by a capture; the stream is not
///          persistent
///   107027 the stream is in a capture
///   507000 the stream is for the device only
///   207000 the context stops on failure; the stream was made with ACL_STREAM_FAST_LAUNCH
///   107002, 107004 no context, or another one than the model's
///   107005 the stream is bound already, or the model is built
ACL_FUNC_VISIBILITY aclError aclmdlRIBindStream(aclmdlRI modelRI, aclrtStream stream,
                                                uint32_t flag);

/// Marks where the run of a model is over. What other streams have not finished is dropped then.
/// Returns ACL_SUCCESS, or 100000 for NULL, 107000 for a model of a capture, 107027 for a stream in
/// a capture, 107002, 107003, 107004, or 107005 when the stream is not bound to the model.
ACL_FUNC_VISIBILITY aclError aclmdlRIEndTask(aclmdlRI modelRI, aclrtStream stream);

/// Ends the building: the model can run, and its streams refuse tasks with 107005.
/// [in] reserve  NULL
/// Returns ACL_SUCCESS, or 100000 for a NULL model or a reserve, 107000 for a model of a capture,
/// 107002, 107004, 107005 without streams or when it is built already, 507011 without
/// aclmdlRIEndTask.
ACL_FUNC_VISIBILITY aclError aclmdlRIBuildEnd(aclmdlRI modelRI, void* reserve);

/// Removes a stream from a model, which keeps the tasks.
/// Returns ACL_SUCCESS, or 100000, 107000 for a model of a capture, 107027 for a stream in a
/// capture, 107002, 107004, 107005 when it is not bound.
ACL_FUNC_VISIBILITY aclError aclmdlRIUnbindStream(aclmdlRI modelRI, aclrtStream stream);

/// Runs a model as one task of a stream. Runs of one model follow each other in the order of calls.
/// [in] stream  NULL for the default stream
/// Returns ACL_SUCCESS, or
///   100000 modelRI is NULL
///   107017 a handle is dead
///   107000 the stream is bound to a model, or persistent, for the device only, or for the CPU
///          scheduler
///   107027 the stream is in a capture
///   207000 a branch of a condition
///   107002, 107004 no context, or another one than the model's
///   107026 the model is being captured
///   507011 it has changes without aclmdlRIUpdate, is unusable, or not built
///   107003 the stream belongs to another context
/// A task that fails ends the run; the next synchronisation of the stream returns its code.
ACL_FUNC_VISIBILITY aclError aclmdlRIExecuteAsync(aclmdlRI modelRI, aclrtStream stream);

/// Runs a model of aclmdlRIBuildBegin on the default stream and waits.
/// [in] timeout  milliseconds; -1 for ever
/// Returns ACL_SUCCESS, the failure of a task, or 100000 for NULL, 107000 for another timeout or a
/// model of a capture, 107002, 107004, 507011 when it is not built, 507046 when the time is over;
/// the run goes on then.
ACL_FUNC_VISIBILITY aclError aclmdlRIExecute(aclmdlRI modelRI, int32_t timeout);

/// Stops a run of a model of aclmdlRIBuildBegin: its stream's synchronisation returns 507023.
/// Returns ACL_SUCCESS, also if it does not run, or 107000 for NULL, 107002, 107004, 207000 for a
/// model of a capture.
ACL_FUNC_VISIBILITY aclError aclmdlRIAbort(aclmdlRI modelRI);

/// Makes changed tasks of a model effective.
/// Returns ACL_SUCCESS, or 107000 for NULL, 207000 for a model that no capture has made, 107040
/// when the model runs or is unusable.
ACL_FUNC_VISIBILITY aclError aclmdlRIUpdate(aclmdlRI modelRI);

/// Destroys a model, after its callbacks. Waits for its runs, up to 10 s.
/// Returns ACL_SUCCESS, or 100000 for NULL, 107002, 107004, 107026 when it is being captured,
/// 107037 when it still runs after 10 s; it stays then.
ACL_FUNC_VISIBILITY aclError aclmdlRIDestroy(aclmdlRI modelRI);

/// Registers a function that aclmdlRIDestroy calls on its thread.
/// Returns ACL_SUCCESS, or 107000 for NULL or a function that is registered already.
ACL_FUNC_VISIBILITY aclError aclmdlRIDestroyRegisterCallback(aclmdlRI modelRI, aclrtCallback func,
                                                             void* userData);

/// Undoes aclmdlRIDestroyRegisterCallback.
/// Returns ACL_SUCCESS, or 107000.
ACL_FUNC_VISIBILITY aclError aclmdlRIDestroyUnregisterCallback(aclmdlRI modelRI,
                                                               aclrtCallback func);

/// Gives a model a name, of which 511 bytes count.
/// Returns ACL_SUCCESS, 100000, 107002 or 107004.
ACL_FUNC_VISIBILITY aclError aclmdlRISetName(aclmdlRI modelRI, const char* name);

/// Gets the name of a model, "" if it has none.
/// Returns ACL_SUCCESS, 100000, 107002, 107004, or 507000 when maxLen has no room for the name and
/// its end.
ACL_FUNC_VISIBILITY aclError aclmdlRIGetName(aclmdlRI modelRI, uint32_t maxLen, char* name);

/// Gets the number of a model, which no other live one has. Needs no context.
/// Returns ACL_SUCCESS or 100000.
ACL_FUNC_VISIBILITY aclError aclmdlRIGetId(aclmdlRI modelRI, uint32_t* modelRIId);

/// Lists the streams of a model: handles for aclmdlRIGetTasksByStream only.
/// [out]    streams     NULL: only the number is wanted; the rest of a long array becomes NULL
/// [in,out] numStreams  the room; receives the number of streams, or of those that fit
/// Returns ACL_SUCCESS, or 107000 for NULL, 107002, 107004, 107039 when the array is too small.
ACL_FUNC_VISIBILITY aclError aclmdlRIGetStreams(aclmdlRI modelRI, aclrtStream* streams,
                                                uint32_t* numStreams);

/// Lists the tasks of a stream of a model in the order of submission; the array as above.
/// Returns ACL_SUCCESS, or 107000 for NULL and other streams, 107039 when the array is too small.
ACL_FUNC_VISIBILITY aclError aclmdlRIGetTasksByStream(aclrtStream stream, aclmdlRITask* tasks,
                                                      uint32_t* numTasks);

/// Reports what a task does.
/// Returns ACL_SUCCESS, or 107000 for NULL and what is not a task.
ACL_FUNC_VISIBILITY aclError aclmdlRITaskGetType(aclmdlRITask task, aclmdlRITaskType* type);

/// Gets the place of a task in its model, from 0, in the order of capture.
/// Returns ACL_SUCCESS, or 107000 for NULL and what is not a task, 207000 for a model that no
/// capture has made.
ACL_FUNC_VISIBILITY aclError aclmdlRITaskGetSeqId(aclmdlRITask task, uint32_t* id);

/// Reads the parameters of a task.
/// Returns ACL_SUCCESS, or 107000 for NULL, what is not a task, and the type
/// ACL_MODEL_RI_TASK_DEFAULT.
ACL_FUNC_VISIBILITY aclError aclmdlRITaskGetParams(aclmdlRITask task, aclmdlRITaskParams* params);

/// Changes the parameters of a kernel, or of the writing of or wait for a value, at the next
/// aclmdlRIUpdate; before that, the model cannot run.
/// [in] params  type that of the task, taskGrp NULL. Of a kernel, args is device memory, or host
///              memory with isHostArgs 1, which is copied; cfg may be NULL
/// Returns ACL_SUCCESS, or 107000 for NULL and what is not a task, 207000 for a model that no
/// capture has made, 107040 when the model runs or is unusable; and the model is unusable after
///   107000 another type; a group; a NULL function, arguments or address; an argument size of 0, or
///          numBlocks that are not 1 to 65535; an address or a flag that is not allowed
///   107017 the function is dead
ACL_FUNC_VISIBILITY aclError aclmdlRITaskSetParams(aclmdlRITask task, aclmdlRITaskParams* params);

/// Lets a task be skipped after aclmdlRIUpdate.
/// Returns ACL_SUCCESS, or 107000 for NULL and what is not a task, 207000 for a model that no
/// capture has made, 107040 when the model runs; 107000 for the type ACL_MODEL_RI_TASK_DEFAULT, and
/// the model is unusable then.
ACL_FUNC_VISIBILITY aclError aclmdlRITaskDisable(aclmdlRITask task);

/// Reads an attribute of a kernel's launch, 0 if it was not given: SCHEM_MODE, DYN_UBUF_SIZE,
/// DATA_DUMP, and the limit of its time as TIMEOUT or TIMEOUT_US, whichever was given.
/// Returns ACL_SUCCESS, or 100000 for NULL, 107000 for what is not a kernel of a model, and for
/// other attributes.
ACL_FUNC_VISIBILITY aclError aclmdlRIKernelTaskGetAttribute(aclmdlRITask task,
                                                            aclrtLaunchKernelAttrId attrId,
                                                            aclrtLaunchKernelAttrValue* attrValue);

/// Writes a model to the log, one line per task and task group, at the level info.
/// Returns ACL_SUCCESS, 100000, 107002 or 107004.
ACL_FUNC_VISIBILITY aclError aclmdlRIDebugPrint(aclmdlRI modelRI);

/// Writes a model to a file, as events of a Chrome trace with invented times.
/// [in] flags  ACL_MDLRI_DEBUG_JSON_PRINT_VERBOSE: with the arguments of kernels
/// Returns ACL_SUCCESS, 100000, 107002, 107004, or 107000 when the file cannot be written.
ACL_FUNC_VISIBILITY aclError aclmdlRIDebugJsonPrint(aclmdlRI modelRI, const char* path,
                                                    uint32_t flags);

/// Creates a condition of a model that is being captured: 8 bytes of device memory, freed with it.
/// [in] defaultLaunchValue  the value at the start of each run, with flag 1
/// [in] flag                0 or 1
/// Returns ACL_SUCCESS, or 100000 for NULL, 107000 for another flag or a model that is not being
/// captured, 207000 for a model of aclmdlRIBuildBegin, 107002, 107004, 207001.
ACL_FUNC_VISIBILITY aclError aclmdlRICondHandleCreate(aclmdlRI modelRI, uint32_t defaultLaunchValue,
                                                      aclmdlRICondHandleFlag flag,
                                                      aclmdlRICondHandle* handle);

/// Reports where the value of a condition is: in device memory.
/// Returns ACL_SUCCESS, 100000, 107002 or 107004.
ACL_FUNC_VISIBILITY aclError aclmdlRICondHandleGetCondPtr(aclmdlRICondHandle handle,
                                                          uint64_t** ptr);

/// Adds a branch, a choice or a loop to a model: params.modelRIArray receives params.size branches,
/// which are to be captured before the model's own capture ends.
/// [in] flags  0
/// Returns ACL_SUCCESS, or 100000 for a NULL stream; 107000 for another type or flags, a NULL
/// handle or array, a condition in use or of another model, another size than IF 1 or 2, WHILE 1,
/// SWITCH 1 or more; 107002, 107003; 107029 when the stream is in no capture.
ACL_FUNC_VISIBILITY aclError aclmdlRIAddCondTask(aclmdlRICondTaskParams params, aclrtStream stream,
                                                 uint32_t flags);

#ifdef __cplusplus
}
#endif

#endif
