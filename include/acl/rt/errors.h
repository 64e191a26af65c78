// SPDX-License-Identifier: Apache-2.0
// Chapter "errors": the last error of a thread, the text that explains it, and reports about tasks
// that failed. The codes are in acl_base_rt.h and error_codes/.
#ifndef ACL_RT_ERRORS_H
#define ACL_RT_ERRORS_H

#include "../acl_base_rt.h"

#define ACL_RT_MEM_UCE_INFO_MAX_NUM 20        ///< entries in aclrtMemUceInfoArray
#define ACL_RT_MAX_RECORD_PA_NUM_PER_DEV 20U  ///< memory errors one device keeps a record of

#ifdef __cplusplus
extern "C" {
#endif

/// Whose last error is queried.
typedef enum aclrtLastErrLevel {
  ACL_RT_THREAD_LEVEL = 0  ///< the one of the calling thread
} aclrtLastErrLevel;

/// What kind of fault aclrtGetErrorVerbose reports.
typedef enum aclrtErrorType {
  ACL_RT_NO_ERROR = 0,          ///< none
  ACL_RT_ERROR_MEMORY = 1,      ///< memory that cannot be corrected
  ACL_RT_ERROR_L2 = 2,          ///< second-level cache
  ACL_RT_ERROR_AICORE = 3,      ///< AI core
  ACL_RT_ERROR_LINK = 4,        ///< link between devices
  ACL_RT_ERROR_L3_PORT = 5,     ///< port to the third-level cache
  ACL_RT_ERROR_OTHERS = 0xFFFF  ///< any other
} aclrtErrorType;

/// Origin of a fault in an AI core.
typedef enum aclrtAicoreErrorType {
  ACL_RT_AICORE_ERROR_UNKNOWN = 0,  ///< not known
  ACL_RT_AICORE_ERROR_SW = 1,       ///< software
  ACL_RT_AICORE_ERROR_HW_LOCAL = 2  ///< this device's hardware
} aclrtAicoreErrorType;

/// When a callback of aclrtSetDeviceTaskAbortCallback is called.
typedef enum aclrtDeviceTaskAbortStage {
  ACL_RT_DEVICE_TASK_ABORT_PRE = 0,
  ACL_RT_DEVICE_TASK_ABORT_POST = 1
} aclrtDeviceTaskAbortStage;

/// A range of device memory with an uncorrectable error.
typedef struct aclrtMemUceInfo {
  void* addr;           ///< its start
  size_t len;           ///< its length in bytes
  size_t reserved[14];  ///< zeros
} aclrtMemUceInfo;

/// All such ranges of a device.
typedef struct aclrtMemUceInfoArray {
  size_t arraySize;  ///< entries in use
  aclrtMemUceInfo memUceInfoArray[ACL_RT_MEM_UCE_INFO_MAX_NUM];
} aclrtMemUceInfoArray;

/// Details of a fault; the type of the fault decides which member is valid.
typedef union aclrtErrorInfoDetail {
  aclrtMemUceInfoArray uceInfo;        ///< for ACL_RT_ERROR_MEMORY
  aclrtAicoreErrorType aicoreErrType;  ///< for ACL_RT_ERROR_AICORE
} aclrtErrorInfoDetail;

/// Result of aclrtGetErrorVerbose.
typedef struct aclrtErrorInfo {
  uint8_t tryRepair;            ///< 1: aclrtRepairError may help
  uint8_t hasDetail;            ///< 1: `detail` is filled in
  uint8_t reserved[2];          ///< zeros
  aclrtErrorType errorType;     ///< the kind of fault
  aclrtErrorInfoDetail detail;  ///< see aclrtErrorInfoDetail
} aclrtErrorInfo;

/// A task that failed, as its callback sees it; see aclrtSetExceptionInfoCallback. The functions
/// that read it accept it only during the callback, on the callback's thread.
typedef struct rtExceptionInfo aclrtExceptionInfo;

/// Called for a task that failed. `info` is valid only during the call.
typedef void (*aclrtExceptionInfoCallback)(aclrtExceptionInfo*);

/// Called before and after the tasks of a device are aborted.
typedef int32_t (*aclrtDeviceTaskAbortCallback)(int32_t, aclrtDeviceTaskAbortStage, uint32_t,
                                                void*);

/// Gets and clears the text of the latest failure: one line that names the function, the argument,
/// its value and what is allowed, with a message code in brackets at the end.
/// Returns the text, which is thereby cleared, or NULL when nothing was recorded since the last
/// call. The pointer is valid until the next call in this thread. Each thread has its own text,
/// unless aclInit was given `err_msg_mode` "1": then the whole process shares one. Needs no
/// context.
ACL_FUNC_VISIBILITY const char* aclGetRecentErrMsg(void);

/// Gets the last error of the calling thread and resets it to ACL_SUCCESS. The last error is the
/// code of the latest call that failed with a runtime code, 107000 and above; a later success does
/// not clear it. Failures with ACL_ERROR_INVALID_PARAM and other codes of acl_base_rt.h do not
/// change it, and neither do ACL_ERROR_RT_FEATURE_NOT_SUPPORT from aclrtMemcpyAsync,
/// aclrtMemcpy2dAsync, aclrtSetMemcpyDesc, aclrtMemcpyAsyncWithDesc, the batch copies and the
/// creation of streams, and the failure of aclrtGetCurrentContext.
/// Returns the last error, ACL_SUCCESS if there is none, or
///   ACL_ERROR_INVALID_PARAM  `level` is not ACL_RT_THREAD_LEVEL
ACL_FUNC_VISIBILITY aclError aclrtGetLastError(aclrtLastErrLevel level);

/// Reads the last error of the calling thread and does not change it; see aclrtGetLastError.
/// Returns the last error, ACL_SUCCESS if there is none, or
///   ACL_ERROR_INVALID_PARAM  `level` is not ACL_RT_THREAD_LEVEL
ACL_FUNC_VISIBILITY aclError aclrtPeekAtLastError(aclrtLastErrLevel level);

/// Sets the function that is called for every queued task that fails; it replaces the one set
/// before.
/// [in] callback  NULL for none. It runs on a thread of the library, and has returned before a
///      synchronisation returns the failure. A synchronisation with a time limit waits for it no
///      longer than that. It must not queue, wait, allocate or free.
/// Returns ACL_SUCCESS.
ACL_FUNC_VISIBILITY aclError aclrtSetExceptionInfoCallback(aclrtExceptionInfoCallback callback);

/// Adds a function that is called for failed tasks, beside the one of aclrtSetExceptionInfoCallback
/// and others that were added. The same function counts once. Rules as there.
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_RT_PARAM_INVALID        `callback` is NULL
///   ACL_ERROR_RT_RESOURCE_ALLOC_FAIL  the thread for reports cannot be started
ACL_FUNC_VISIBILITY aclError
aclrtExceptionInfoCallbackRegister(aclrtExceptionInfoCallback callback);

/// Undoes aclrtExceptionInfoCallbackRegister; a function that was not added is ignored.
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_RT_PARAM_INVALID  `callback` is NULL
ACL_FUNC_VISIBILITY aclError
aclrtExceptionInfoCallbackUnregister(aclrtExceptionInfoCallback callback);

/// Returns the number of the failed task on its stream, or 0xFFFFFFFF when `info` is not the report
/// of a callback that this thread is running.
ACL_FUNC_VISIBILITY uint32_t aclrtGetTaskIdFromExceptionInfo(const aclrtExceptionInfo* info);

/// Returns the number of the stream of the failed task (see aclrtStreamGetId), or 0xFFFFFFFF when
/// `info` is not the report of a callback that this thread is running.
ACL_FUNC_VISIBILITY uint32_t aclrtGetStreamIdFromExceptionInfo(const aclrtExceptionInfo* info);

/// Returns the system's number of the thread on which the task failed, or 0xFFFFFFFF when `info` is
/// not the report of a callback that this thread is running.
ACL_FUNC_VISIBILITY uint32_t aclrtGetThreadIdFromExceptionInfo(const aclrtExceptionInfo* info);

/// Returns the number of the device of the failed task, or 0xFFFFFFFF when `info` is not the report
/// of a callback that this thread is running.
ACL_FUNC_VISIBILITY uint32_t aclrtGetDeviceIdFromExceptionInfo(const aclrtExceptionInfo* info);

/// Returns the code the task failed with, or 0xFFFFFFFF when `info` is not the report of a callback
/// that this thread is running.
ACL_FUNC_VISIBILITY uint32_t aclrtGetErrorCodeFromExceptionInfo(const aclrtExceptionInfo* info);

/// Reports what is wrong with the hardware of a device. The devices of this library have no faults
/// but those of FERRY_FAIL: the answer is ACL_RT_NO_ERROR, and all other fields are zero; or
/// ACL_RT_ERROR_MEMORY with the damaged ranges.
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_INVALID_PARAM        `errorInfo` is NULL
///   ACL_ERROR_RT_INVALID_DEVICEID  there is no device `deviceId`
ACL_FUNC_VISIBILITY aclError aclrtGetErrorVerbose(int32_t deviceId, aclrtErrorInfo* errorInfo);

/// Repairs what aclrtGetErrorVerbose reported: the memory in `errorInfo`. There is nothing else to
/// repair.
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_INVALID_PARAM        `errorInfo` is NULL, or has more ranges than fit into it
///   ACL_ERROR_RT_INVALID_DEVICEID  there is no device `deviceId`
ACL_FUNC_VISIBILITY aclError aclrtRepairError(int32_t deviceId, const aclrtErrorInfo* errorInfo);

/// Lists the device memory whose errors are uncorrectable: what FERRY_FAIL has damaged.
/// [out] retSize  the number of ranges
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_INVALID_PARAM        `memUceInfoArray` or `retSize` is NULL, or `arraySize` is below
///                                  the number of ranges
///   ACL_ERROR_RT_INVALID_DEVICEID  there is no device `deviceId`
///   ACL_ERROR_RT_CONTEXT_NULL      the calling thread has no context on the device
ACL_FUNC_VISIBILITY aclError aclrtGetMemUceInfo(int32_t deviceId, aclrtMemUceInfo* memUceInfoArray,
                                                size_t arraySize, size_t* retSize);

/// Repairs device memory that aclrtGetMemUceInfo listed: ranges that overlap those given here are
/// listed no more.
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_INVALID_PARAM        `memUceInfoArray` is NULL, `arraySize` is above 128, or a
///                                  reserved word is not 0
///   ACL_ERROR_RT_INVALID_DEVICEID  there is no device `deviceId`
ACL_FUNC_VISIBILITY aclError aclrtMemUceRepair(int32_t deviceId, aclrtMemUceInfo* memUceInfoArray,
                                               size_t arraySize);

/// Drops all tasks of a device in this process, running ones included. Threads that wait for its
/// streams or events get ACL_ERROR_RT_DEVICE_TASK_ABORT. From before the callbacks of stage PRE
/// until before those of stage POST, submissions and copies are refused with the same code.
/// Afterwards the streams work as before.
/// [in] timeout  milliseconds, 0 for ever; at most 36 minutes. Callbacks count.
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_RT_PARAM_INVALID     `timeout` is too large
///   ACL_ERROR_RT_INVALID_DEVICEID  there is no device `deviceId`
///   ACL_ERROR_RT_INTERNAL_ERROR    a callback returned another value than 0; before the abort, it
///                                  does not take place
///   ACL_ERROR_RT_WAIT_TIMEOUT      the time was over before all streams were aborted
ACL_FUNC_VISIBILITY aclError aclrtDeviceTaskAbort(int32_t deviceId, uint32_t timeout);

/// Registers under a name a function that aclrtDeviceTaskAbort calls, in its thread, with the
/// device, the stage, the timeout and `args`.
/// [in] callback  NULL removes the one of that name, if there is one
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_INVALID_PARAM     `regName` is NULL
///   ACL_ERROR_RT_PARAM_INVALID  the name is in use
ACL_FUNC_VISIBILITY aclError aclrtSetDeviceTaskAbortCallback(const char* regName,
                                                             aclrtDeviceTaskAbortCallback callback,
                                                             void* args);

#ifdef __cplusplus
}
#endif

#endif
