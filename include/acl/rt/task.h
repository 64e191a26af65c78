// SPDX-License-Identifier: Apache-2.0
// Chapter "tasks": time limits for operators, and tasks that are neither copies nor kernels. Copies
// are in copy.h, kernels in kernel.h.
#ifndef ACL_RT_TASK_H
#define ACL_RT_TASK_H

#include "../acl_base_rt.h"

#ifdef __cplusplus
extern "C" {
#endif

/// How aclrtReduceAsync combines two values.
typedef enum aclrtReduceKind {
  ACL_RT_MEMCPY_SDMA_AUTOMATIC_SUM = 10,
  ACL_RT_MEMCPY_SDMA_AUTOMATIC_MAX = 11,
  ACL_RT_MEMCPY_SDMA_AUTOMATIC_MIN = 12,
  ACL_RT_MEMCPY_SDMA_AUTOMATIC_EQUAL = 13
} aclrtReduceKind;

/// Distribution of aclrtRandomNumAsync.
typedef enum aclrtRandomNumFuncType {
  ACL_RT_RANDOM_NUM_FUNC_TYPE_DROPOUT_BITMASK = 0,
  ACL_RT_RANDOM_NUM_FUNC_TYPE_UNIFORM_DIS = 1,
  ACL_RT_RANDOM_NUM_FUNC_TYPE_NORMAL_DIS = 2,
  ACL_RT_RANDOM_NUM_FUNC_TYPE_TRUNCATED_NORMAL_DIS = 3
} aclrtRandomNumFuncType;

/// What aclrtTaskUpdateAsync changes.
typedef enum aclrtUpdateTaskAttrId {
  ACL_RT_UPDATE_RANDOM_TASK = 1,
  ACL_RT_UPDATE_AIC_AIV_TASK = 2
} aclrtUpdateTaskAttrId;

/// A parameter of a distribution: its value, or the address of it.
typedef struct aclrtRandomParaInfo {
  uint8_t isAddr;
  uint8_t valueOrAddr[8];
  uint8_t size;
  uint8_t rsv[6];
} aclrtRandomParaInfo;

/// Parameters of a dropout mask.
typedef struct aclrtDropoutBitmaskInfo {
  aclrtRandomParaInfo dropoutRation;
} aclrtDropoutBitmaskInfo;

/// Parameters of the uniform distribution.
typedef struct aclrtUniformDisInfo {
  aclrtRandomParaInfo min;
  aclrtRandomParaInfo max;
} aclrtUniformDisInfo;

/// Parameters of the normal distribution.
typedef struct aclrtNormalDisInfo {
  aclrtRandomParaInfo mean;
  aclrtRandomParaInfo stddev;
} aclrtNormalDisInfo;

/// A distribution with its parameters.
typedef struct aclrtRandomNumFuncParaInfo {
  aclrtRandomNumFuncType funcType;
  union {
    aclrtDropoutBitmaskInfo dropoutBitmaskInfo;
    aclrtUniformDisInfo uniformDisInfo;
    aclrtNormalDisInfo normalDisInfo;
  } paramInfo;
} aclrtRandomNumFuncParaInfo;

/// What aclrtRandomNumAsync generates, and where.
typedef struct aclrtRandomNumTaskInfo {
  aclDataType dataType;
  aclrtRandomNumFuncParaInfo randomNumFuncParaInfo;
  void* randomParaAddr;
  void* randomResultAddr;
  void* randomCounterAddr;
  aclrtRandomParaInfo randomSeed;
  aclrtRandomParaInfo randomNum;
  uint8_t rsv[8];
} aclrtRandomNumTaskInfo;

/// Change of a random number task.
typedef struct aclrtRandomTaskUpdateAttr {
  void* srcAddr;
  size_t size;
  uint32_t rsv[4];
} aclrtRandomTaskUpdateAttr;

/// Change of a kernel.
typedef struct aclrtAicAivTaskUpdateAttr {
  void* binHandle;
  void* funcEntryAddr;
  void* blockDimAddr;
  uint32_t rsv[4];
} aclrtAicAivTaskUpdateAttr;

/// One of these changes.
typedef union aclrtUpdateTaskAttrVal {
  aclrtRandomTaskUpdateAttr randomTaskAttr;
  aclrtAicAivTaskUpdateAttr aicAivTaskAttr;
} aclrtUpdateTaskAttrVal;

/// A change with its type.
typedef struct aclrtTaskUpdateInfo {
  aclrtUpdateTaskAttrId id;
  aclrtUpdateTaskAttrVal val;
} aclrtTaskUpdateInfo;

/// Sets the time limit for one operator. Nothing here runs operators: the value is kept and has
/// no effect.
/// [in] timeout  seconds; 0 for the longest that the device allows
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_RT_CONTEXT_NULL  no current context
ACL_FUNC_VISIBILITY aclError aclrtSetOpExecuteTimeOut(uint32_t timeout);

/// As aclrtSetOpExecuteTimeOut, in microseconds.
/// [in] timeout  microseconds; 0 for the longest that the device allows
/// [out] actualTimeout  the limit now in force, in microseconds
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_INVALID_PARAM    `actualTimeout` is NULL
///   ACL_ERROR_RT_CONTEXT_NULL  no current context
ACL_FUNC_VISIBILITY aclError aclrtSetOpExecuteTimeOutV2(uint64_t timeout, uint64_t* actualTimeout);

/// As aclrtSetOpExecuteTimeOut, in milliseconds. Needs no context.
/// [in] timeout  milliseconds; 0 for the longest that the device allows. More than that becomes the
///               longest.
/// Returns ACL_SUCCESS.
ACL_FUNC_VISIBILITY aclError aclrtSetOpExecuteTimeOutWithMs(uint32_t timeout);

/// Reads the time limit for one operator, at first about 1091 seconds. Needs no context.
/// [out] timeoutMs  milliseconds, rounded up
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_INVALID_PARAM  `timeoutMs` is NULL
ACL_FUNC_VISIBILITY aclError aclrtGetOpExecuteTimeout(uint32_t* const timeoutMs);

/// Gets the resolution of time limits. The longest limit is 254 times as long.
/// [out] interval  microseconds
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_INVALID_PARAM    `interval` is NULL
///   ACL_ERROR_RT_CONTEXT_NULL  no current context
ACL_FUNC_VISIBILITY aclError aclrtGetOpTimeOutInterval(uint64_t* interval);

/// Gets the number of the task that the calling thread queued last on a stream that is not a
/// default stream. Numbers count from 0 on each stream. Needs no context.
/// [out] taskId  UINT32_MAX when the thread has queued none
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_INVALID_PARAM  `taskId` is NULL
ACL_FUNC_VISIBILITY aclError aclrtGetThreadLastTaskId(uint32_t* taskId);

/// Queues a reduction: dst[i] = dst[i] op src[i] for two arrays in memory of the stream's device.
/// Integers wrap. Halves (ACL_FLOAT16, ACL_BF16) are computed as float and rounded to nearest even;
/// each element is one operation. ACL_RT_MEMCPY_SDMA_AUTOMATIC_MAX and MIN give NaN when one of the
/// two is NaN.
/// [in] count  bytes; a tail shorter than an element is left alone
/// [in] kind  ACL_RT_MEMCPY_SDMA_AUTOMATIC_SUM, MAX or MIN
/// [in] type  ACL_FLOAT, ACL_FLOAT16, ACL_BF16, ACL_INT8, ACL_INT16, ACL_INT32 or ACL_UINT32
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_INVALID_PARAM           `dst` or `src` is NULL, `reserve` is not NULL, or `type` is
///                                     no type that any product reduces
///   ACL_ERROR_RT_PARAM_INVALID        `count` is 0, `kind` is none of aclrtReduceKind, or `count`
///                                     is more than 4 GiB with ACL_RT_MEMCPY_SDMA_AUTOMATIC_SUM
///   ACL_ERROR_RT_INVALID_HANDLE       `stream` was destroyed or is not a stream
///   ACL_ERROR_RT_CONTEXT_NULL         no current context
///   ACL_ERROR_RT_STREAM_CONTEXT       `stream` belongs to another context
///   ACL_ERROR_RT_FEATURE_NOT_SUPPORT  `kind` is ACL_RT_MEMCPY_SDMA_AUTOMATIC_EQUAL, or `type` is
///                                     ACL_INT4, ACL_UINT8 or ACL_UINT16
///   ACL_ERROR_RT_PARAM_INVALID        `dst` or `src` is not memory of the stream's device
ACL_FUNC_VISIBILITY aclError aclrtReduceAsync(void* dst, const void* src, uint64_t count,
                                              aclrtReduceKind kind, aclDataType type,
                                              aclrtStream stream, void* reserve);

/// Queues the generation of random numbers in device memory: Philox4x32-10, with the seed as its
/// key (docs/random_numbers.md). The same settings and counter give the same numbers everywhere,
/// but not those of the hardware.
/// Parameters of floating-point types are a float (size 4); those of integer types have the size of
/// the type. Seed and number of values have size 8. With isAddr 1, valueOrAddr is the address in
/// device memory of the parameter, which is read when the task runs.
/// [in] taskInfo  not changed, and not needed after the call. randomCounterAddr: 16 bytes of device
///                memory, which the task reads and advances; NULL starts at 0. randomParaAddr: not
///                used.
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_INVALID_PARAM           `taskInfo` is NULL, or its data type is not ACL_INT32,
///                                     ACL_INT64, ACL_UINT32, ACL_UINT64, ACL_BF16, ACL_FLOAT16 or
///                                     ACL_FLOAT
///   ACL_ERROR_RT_PARAM_INVALID        `reserve` is not NULL, the distribution is unknown or not
///                                     one of the data type, a parameter has another size or is no
///                                     possible value, or the address of the results is NULL
///   ACL_ERROR_RT_INVALID_HANDLE       `stream` was destroyed or is not a stream
///   ACL_ERROR_RT_CONTEXT_NULL         no current context
///   ACL_ERROR_RT_STREAM_CONTEXT       `stream` belongs to another context
///   ACL_ERROR_RT_FEATURE_NOT_SUPPORT  the product is none of A2 and A3, or this device cannot
///   ACL_ERROR_RT_PARAM_INVALID        results, counter or a parameter are not in device memory
ACL_FUNC_VISIBILITY aclError aclrtRandomNumAsync(const aclrtRandomNumTaskInfo* taskInfo,
                                                 const aclrtStream stream, void* reserve);

/// Queues on one stream the change of a task on another one, which is bound to a model.
/// [in] taskStream  the stream of the task
/// [in] taskId  the task's number, see aclrtGetThreadLastTaskId
/// [in] info  for a task of aclrtRandomNumAsync: device memory with an aclrtRandomNumTaskInfo,
///            read when the change executes
/// [in] execStream  the stream on which the change executes; NULL for the default stream
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_INVALID_PARAM           `info` is NULL
///   ACL_ERROR_RT_PARAM_INVALID        `taskStream` is NULL, or `info->id` is none of
///                                     aclrtUpdateTaskAttrId
///   ACL_ERROR_RT_INVALID_HANDLE       `taskStream` or `execStream` is not a stream
///   ACL_ERROR_RT_STREAM_MODEL         `taskStream` is not bound to a model
///   ACL_ERROR_RT_CONTEXT_NULL         no current context
///   ACL_ERROR_RT_STREAM_CONTEXT       `execStream` belongs to another context
///   ACL_ERROR_RT_FEATURE_NOT_SUPPORT  the change is one of a kernel
///   ACL_ERROR_RT_PARAM_INVALID        `taskStream` has no such task, or `info` names no
///                                     aclrtRandomNumTaskInfo in device memory
ACL_FUNC_VISIBILITY aclError aclrtTaskUpdateAsync(aclrtStream taskStream, uint32_t taskId,
                                                  aclrtTaskUpdateInfo* info,
                                                  aclrtStream execStream);

/// Attaches bytes that describe an operator to the task that the calling thread has queued last.
/// They are copied, belong to the model, and aclmdlRITaskGetParams shows them. A second call
/// replaces them.
/// [in] infoSize  1 to 65536
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_INVALID_PARAM           `infoPtr` is NULL or `infoSize` 0
///   ACL_ERROR_RT_FEATURE_NOT_SUPPORT  the product cannot capture streams
///   ACL_ERROR_RT_PARAM_INVALID        `infoSize` is above 65536, or the bytes cannot be read
///   ACL_ERROR_RT_CONTEXT_NULL         the calling thread has no context
///   ACL_ERROR_RT_INTERNAL_ERROR       the thread has queued no task; its stream is gone, is not in
///                                     a capture, or has the attribute CACHE_OP_INFO off
///   ACL_ERROR_RT_STREAM_CONTEXT       its stream belongs to another context
ACL_FUNC_VISIBILITY aclError aclrtCacheLastTaskOpInfo(const void* const infoPtr,
                                                      const size_t infoSize);

/// Attaches a JSON text to the task that the calling thread has queued last, for
/// aclmdlRIDebugJsonPrint. It is copied and not parsed; 4096 bytes count.
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_RT_FEATURE_NOT_SUPPORT  the product cannot capture streams
///   ACL_ERROR_RT_PARAM_INVALID        `extendInfoPtr` is NULL, or cannot be read; `infoSize` is 0
///   ACL_ERROR_RT_CONTEXT_NULL         the calling thread has no context
///   ACL_ERROR_RT_INTERNAL_ERROR       the thread has queued no task; its stream is gone, or is in
///                                     no model
///   ACL_ERROR_RT_STREAM_CONTEXT       its stream belongs to another context
ACL_FUNC_VISIBILITY aclError aclrtCacheLastTaskExtendInfo(const char* const extendInfoPtr,
                                                          const size_t infoSize);

/// Queues a task that records a mark with data of the program when it runs: the id of the mark (8
/// bytes), the id of a model (8 bytes) and a tag (2 bytes). Recorded only while profiling is
/// started.
/// [in] userdata  copied during the call; missing bytes count as 0
/// [in] stream  NULL for the default stream of the current context
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_INVALID_PARAM      `userdata` is NULL
///   ACL_ERROR_RT_PARAM_INVALID   `length` is not 1 to 18
///   ACL_ERROR_RT_INVALID_HANDLE  `stream` was destroyed or is not a stream
///   ACL_ERROR_RT_CONTEXT_NULL    no current context
///   ACL_ERROR_RT_STREAM_CONTEXT  `stream` belongs to another context
ACL_FUNC_VISIBILITY aclError aclrtProfTrace(void* userdata, int32_t length, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
