// SPDX-License-Identifier: Apache-2.0
// Chapter "counting notify": a notify with a 32-bit value that streams set and wait for. Only
// Ascend 950 products have it (FERRY_SOC): on others, every function here fails first of all with
// ACL_ERROR_RT_FEATURE_NOT_SUPPORT. Plain notifies are in notify.h.
#ifndef ACL_RT_COUNTING_NOTIFY_H
#define ACL_RT_COUNTING_NOTIFY_H

#include "../acl_base_rt.h"

#ifdef __cplusplus
extern "C" {
#endif

/// How a record changes the value.
typedef enum aclrtCntNotifyRecordMode {
  ACL_RT_CNT_NOTIFY_RECORD_SET_VALUE_MODE = 0,
  ACL_RT_CNT_NOTIFY_RECORD_ADD_MODE = 1,
  ACL_RT_CNT_NOTIFY_RECORD_BIT_OR_MODE = 2,
  ACL_RT_CNT_NOTIFY_RECORD_BIT_AND_MODE = 4
} aclrtCntNotifyRecordMode;

/// Which value a wait waits for.
typedef enum aclrtCntNotifyWaitMode {
  ACL_RT_CNT_NOTIFY_WAIT_LESS_MODE = 0,
  ACL_RT_CNT_NOTIFY_WAIT_EQUAL_MODE = 1,
  ACL_RT_CNT_NOTIFY_WAIT_BIGGER_MODE = 2,
  ACL_RT_CNT_NOTIFY_WAIT_BIGGER_OR_EQUAL_MODE = 3,
  ACL_RT_CNT_NOTIFY_WAIT_EQUAL_WITH_BITMASK_MODE = 4
} aclrtCntNotifyWaitMode;

/// What aclrtCntNotifyRecord does to the value.
typedef struct aclrtCntNotifyRecordInfo {
  aclrtCntNotifyRecordMode mode;
  uint32_t value;
} aclrtCntNotifyRecordInfo;

/// What aclrtCntNotifyWaitWithTimeout waits for.
typedef struct aclrtCntNotifyWaitInfo {
  aclrtCntNotifyWaitMode mode;
  uint32_t value;
  uint32_t timeout;
  uint8_t isClear;
  uint8_t rsv[3];
} aclrtCntNotifyWaitInfo;

/// Creates a counting notify, with the value 0.
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_RT_PARAM_INVALID  `cntNotify` is NULL, or `flag` is neither 0 nor 1
///   ACL_ERROR_RT_CONTEXT_NULL   the calling thread has no context
ACL_FUNC_VISIBILITY aclError aclrtCntNotifyCreate(aclrtCntNotify* cntNotify, uint64_t flag);

/// Destroys a counting notify. Tasks that are queued keep its value and are not waited for.
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_RT_PARAM_INVALID   `cntNotify` is NULL
///   ACL_ERROR_RT_INVALID_HANDLE  `cntNotify` is not valid
ACL_FUNC_VISIBILITY aclError aclrtCntNotifyDestroy(aclrtCntNotify cntNotify);

/// Queues on a stream a change of the value, which wraps at 32 bits.
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_INVALID_PARAM      `info` is NULL
///   ACL_ERROR_RT_PARAM_INVALID   `cntNotify` is NULL, or the mode is not 0, 1, 2 or 4
///   ACL_ERROR_RT_INVALID_HANDLE  `cntNotify` or `stream` is not valid
///   ACL_ERROR_RT_CONTEXT_NULL    the calling thread has no context
///   ACL_ERROR_RT_STREAM_CONTEXT  the stream belongs to another context
ACL_FUNC_VISIBILITY aclError aclrtCntNotifyRecord(aclrtCntNotify cntNotify, aclrtStream stream,
                                                  aclrtCntNotifyRecordInfo* info);

/// Lets a stream wait for a value: less, equal, bigger, bigger or equal, or all bits of the mask
/// set. [in] info  timeout: seconds, 0 for ever; past it the task fails with
/// ACL_ERROR_RT_TASK_TIMEOUT.
///            isClear: 1 sets the value to 0 when the wait ends
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_INVALID_PARAM      `info` is NULL
///   ACL_ERROR_RT_PARAM_INVALID   `cntNotify` is NULL, or the mode is above 4
///   ACL_ERROR_RT_INVALID_HANDLE  `cntNotify` or `stream` is not valid
///   ACL_ERROR_RT_CONTEXT_NULL    the calling thread has no context
///   ACL_ERROR_RT_STREAM_CONTEXT  the stream belongs to another context
///   ACL_ERROR_RT_RESOURCE_ALLOC_FAIL  the thread for time limits cannot be started
ACL_FUNC_VISIBILITY aclError aclrtCntNotifyWaitWithTimeout(aclrtCntNotify cntNotify,
                                                           aclrtStream stream,
                                                           aclrtCntNotifyWaitInfo* info);

/// Queues on a stream the reset of the value to 0.
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_RT_PARAM_INVALID   `cntNotify` is NULL
///   ACL_ERROR_RT_INVALID_HANDLE  `cntNotify` or `stream` is not valid
///   ACL_ERROR_RT_CONTEXT_NULL    the calling thread has no context
///   ACL_ERROR_RT_STREAM_CONTEXT  the stream belongs to another context
ACL_FUNC_VISIBILITY aclError aclrtCntNotifyReset(aclrtCntNotify cntNotify, aclrtStream stream);

/// Gets the number of a counting notify.
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_RT_PARAM_INVALID   `cntNotify` or `notifyId` is NULL
///   ACL_ERROR_RT_INVALID_HANDLE  `cntNotify` is not valid
ACL_FUNC_VISIBILITY aclError aclrtCntNotifyGetId(aclrtCntNotify cntNotify, uint32_t* notifyId);

#ifdef __cplusplus
}
#endif

#endif
